public import DiffableSnapshot
public import Query

/// The changes of an update in the form that views need.
extension ResultsUpdate {
  /// The changes to items, each with its item: deletes from the last place to the first, then
  /// inserts and moves by ascending `to`, then updates by ascending `to`. O(c log n) for c changes.
  /// ``apply(to:)`` applies them to an array.
  public var changes: [ResultsChange<Item>] { changes(of: Item.self) }

  /// The changes to sections: deletes, then inserts and moves, then updates. Views apply them
  /// before the changes to items.
  public var sectionChanges: [ResultsSectionChange] {
    diff.sections.map { ResultsSectionChange($0, in: self) }
  }

  /// The changes to items by their ids, without the items. O(1).
  public var itemChanges: [SnapshotDiff<SectionID, Item.ID>.ItemChange] { diff.changes }

  /// The items whose cells must be configured again: those that were updated in place, and those
  /// that moved and changed.
  public var reconfigured: [Item.ID] { diff.changes.filter(\.isUpdated).map(\.item) }

  /// The new list with its marks, for a diffable data source: `reconfigured` items are marked as
  /// reconfigured, and sections with another title as reloaded. O(c log n) for c changes.
  ///
  /// ```swift
  /// for await update in store.results().updates {
  ///   let list = update.diffableSnapshot
  ///   print(list.itemIdentifiers, list.reconfiguredItemIdentifiers)
  /// }
  /// ```
  public var diffableSnapshot: Snapshot<SectionID, Item.ID> {
    var list = new.list
    let retitled = diff.sections.compactMap { change in
      if case .update(let id, _, _) = change { id } else { nil }
    }
    // Every updated item and section is in the new list, so this does not fail.
    try? list.reconfigureItems(reconfigured)
    try? list.reloadSections(retitled)
    return list
  }

  func changes<Object>(of type: Object.Type) -> [ResultsChange<Object>] {
    let hasSections = (old: old.request.section != nil, new: new.request.section != nil)
    return diff.changes.map { change in
      ResultsChange(
        object: (change.to == nil ? old : new).listedObject(change.item, as: type),
        before: change.isUpdated ? old.listedObject(change.item, as: type) : nil, change: change,
        origin: origin,
        fromIndexPath: change.from.flatMap(old.indexPath), toIndexPath: change.to.flatMap(new.indexPath),
        hasSections: hasSections)
    }
  }
}

extension ResultsUpdate: CustomStringConvertible {
  /// One line per change, those of sections first; `no changes` if there are none.
  public var description: String {
    let lines = sectionChanges.map(\.description) + changes.map(\.description)
    return lines.isEmpty ? "no changes" : lines.joined(separator: "\n")
  }
}
