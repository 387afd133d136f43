public import DiffableSnapshot

/// One consistent step of a list of your own type, from one snapshot to the next.
///
/// A table view applies its changes, a diffable data source its snapshot:
///
/// ```swift
/// for await update in store.results(of: Contact.self).updates {
///   print(update.sectionChanges, update.changes)
///   print(update.diffableSnapshot.reconfiguredItemIdentifiers)
/// }
/// ```
public struct TypedUpdate<Object: Sendable>: Sendable {
  /// The update of the items that the values are decoded from.
  public let items: ResultsUpdate

  init(_ items: ResultsUpdate) {
    self.items = items
  }

  /// The list before the update.
  public var old: TypedSnapshot<Object> { TypedSnapshot(items.old) }
  /// The list after the update.
  public var new: TypedSnapshot<Object> { TypedSnapshot(items.new) }
  /// The changes that lead from the old list to the new one.
  public var diff: SnapshotDiff<SectionID, Item.ID> { items.diff }
  /// The source of the changes: files, git, the view or the clock.
  public var origin: ResultsUpdate.Origin { items.origin }
  /// The reason for the update.
  public var cause: ResultsUpdate.Cause { items.cause }
  /// True if the update is the first one of its sequence, which leads from an empty list to the
  /// list as it is.
  public var isInitial: Bool { items.isInitial }

  /// The changes to values, each with its value: deletes from the last place to the first, then
  /// inserts and moves by ascending `to`, then updates by ascending `to`. O(c log n) for c changes.
  public var changes: [ResultsChange<Object>] { items.changes(of: Object.self) }

  /// The changes to sections: deletes, then inserts and moves, then updates. Views apply them
  /// before the changes to values.
  public var sectionChanges: [ResultsSectionChange] { items.sectionChanges }

  /// The changes to items by their ids, without the values. O(1).
  public var itemChanges: [SnapshotDiff<SectionID, Item.ID>.ItemChange] { items.itemChanges }

  /// The items whose cells must be configured again: those that were updated in place, and those
  /// that moved and changed.
  public var reconfigured: [Item.ID] { items.reconfigured }

  /// The new list with its marks, for a diffable data source: `reconfigured` items are marked as
  /// reconfigured, and sections with another title as reloaded. O(c log n) for c changes.
  public var diffableSnapshot: Snapshot<SectionID, Item.ID> { items.diffableSnapshot }
}

extension TypedUpdate: CustomStringConvertible {
  /// One line per change, those of sections first; `no changes` if there are none.
  public var description: String { items.description }
}
