/// Differences for consumers with fewer kinds of changes. In a lowered difference, one item can be
/// both deleted and inserted.
extension SnapshotDiff {
  /// Returns the difference in the form that table and collection views require. An item that
  /// leaves a deleted section or enters an inserted one is deleted and inserted instead of moved.
  /// O(c log c) for c changes.
  public func loweredForListViews() -> SnapshotDiff {
    var deleted: Set<SectionID> = []
    var inserted: Set<SectionID> = []
    for change in sections {
      switch change {
      case .delete(let id, _): deleted.insert(id)
      case .insert(let id, _): inserted.insert(id)
      case .move, .update: continue
      }
    }
    return lowered(sections) { change in
      guard case .move(_, let from, let to, _) = change else { return false }
      return deleted.contains(from.section) || inserted.contains(to.section)
    }
  }

  /// Returns the difference as deletes and inserts only. Moved and updated items are deleted and inserted,
  /// and so are moved and updated sections with all their items. O(c log c) for c changes, plus the
  /// items of replaced sections.
  public func loweredToDeletesAndInserts(
    from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>
  ) -> SnapshotDiff {
    let replaced = Set(sections.filter { $0.from != nil && $0.to != nil }.map(\.section))
    if replaced.isEmpty { return lowered(sections) { $0.from != nil && $0.to != nil } }

    var full = self
    var known = Set(changes.filter { $0.from != nil && $0.to != nil }.map(\.item))
    for section in old.sectionIdentifiers where replaced.contains(section) {
      for (index, item) in old.items(inSection: section).enumerated() {
        guard let to = new.place(of: item), known.insert(item).inserted else { continue }
        full.changes.append(
          .move(item, from: Place(section: section, index: index), to: to, isUpdated: false))
      }
    }
    full.sourceSections = old.sectionIdentifiers
    full.targetSections = new.sectionIdentifiers
    let split = sections.flatMap { change in
      [
        change.from.map { .delete(change.section, from: $0) },
        change.to.map { .insert(change.section, to: $0) },
      ]
      .compactMap(\.self) as [SectionChange]
    }
    return full.lowered(Self.ordered(split)) { $0.from != nil && $0.to != nil }
  }

  /// Replaces each chosen change by a delete and an insert, in the documented order.
  private func lowered(_ sections: [SectionChange], where isLowered: (ItemChange) -> Bool) -> SnapshotDiff {
    var split: [ItemChange] = []
    for change in changes {
      if let from = change.from, let to = change.to, isLowered(change) {
        split += [.delete(change.item, from: from), .insert(change.item, to: to)]
      } else {
        split.append(change)
      }
    }
    var lowered = self
    lowered.sections = sections
    lowered.changes = split
    // Inverting sorts the changes, so inverting twice sorts them and restores the direction.
    lowered.changes = lowered.inverse.inverse.changes
    return lowered
  }
}
