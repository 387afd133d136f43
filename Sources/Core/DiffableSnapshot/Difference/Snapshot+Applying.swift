extension Snapshot {
  /// Returns the snapshot after a difference was applied, by the rules documented at ``SnapshotDiff``.
  ///
  /// The result has no hidden items and no marks. Each `from` must match this snapshot, and the
  /// `to` of each update must match the result. Costs O(log n) per change.
  ///
  /// - Throws: ``SnapshotError/itemNotAt(_:_:)`` or ``SnapshotError/sectionNotAt(_:_:)`` if the
  ///   difference belongs to another snapshot. `sectionNotEmpty`, `duplicateItem`,
  ///   `duplicateSection`, `unknownSection` or `indexOutOfRange` if it contradicts itself.
  @inlinable
  public func applying(_ diff: SnapshotDiff<SectionID, ItemID>) throws(Failure) -> Snapshot {
    var result = withoutHidden()
    result.clearMarks()
    try result.removeItems(diff.changes, as: self)
    try result.applySections(diff.sections, as: self)
    try result.insertItems(diff.changes)
    return result
  }

  @inlinable
  mutating func removeItems(
    _ changes: [SnapshotDiff<SectionID, ItemID>.ItemChange], as old: Snapshot
  ) throws(Failure) {
    for change in changes {
      guard let from = change.from else { continue }
      if old.item(at: from) != change.item { throw .itemNotAt(change.item, from) }
      if case .update = change { continue }
      guard let number = items.number(of: change.item) else { throw .itemNotAt(change.item, from) }
      remove(number)
    }
  }

  @inlinable
  mutating func applySections(
    _ changes: [SnapshotDiff<SectionID, ItemID>.SectionChange], as old: Snapshot
  ) throws(Failure) {
    var parked = 0
    for change in changes {
      guard let from = change.from else { continue }
      let section = change.section
      guard old.sectionIdentifier(at: from) == section, let number = sections.number(of: section) else {
        throw .sectionNotAt(section, from)
      }
      switch change {
      case .delete:
        if index.locate(section: number).counts.items(.all) > 0 { throw .sectionNotEmpty(section) }
        try deleteSections([section])
      case .move:
        // Removed sections are kept after the others, in any order, until they are placed.
        index.moveSection(number, to: numberOfAllSections - 1)
        parked += 1
      case .insert, .update: continue
      }
    }
    try insertSections(changes, parked: parked)
  }

  @inlinable
  mutating func insertSections(
    _ changes: [SnapshotDiff<SectionID, ItemID>.SectionChange], parked: Int
  ) throws(Failure) {
    var parked = parked
    let placed = changes.compactMap { change in change.to.map { (to: $0, change: change) } }.sorted {
      $0.to < $1.to
    }
    for (to, change) in placed {
      switch change {
      case .insert(let section, _):
        try check(to, upTo: numberOfAllSections - parked)
        try insert([section], at: to)
      case .move(let section, _, _):
        try check(to, upTo: numberOfAllSections - parked)
        index.moveSection(try number(ofSection: section), to: to)
        parked -= 1
      case .delete, .update: continue
      }
    }
    for case .update(let section, _, let to) in changes where sectionIdentifier(at: to) != section {
      throw .sectionNotAt(section, to)
    }
  }

  @inlinable
  mutating func insertItems(_ changes: [SnapshotDiff<SectionID, ItemID>.ItemChange]) throws(Failure) {
    var placed: [(item: ItemID, to: Place<SectionID>)] = []
    for change in changes {
      if case .update = change { continue }
      if let to = change.to { placed.append((change.item, to)) }
    }
    // Sections are independent, so the order within each one is sufficient.
    placed.sort { $0.to.index < $1.to.index }
    for (item, to) in placed { try insertItem(item, inSection: to.section, at: to.index) }
    for case .update(let item, _, let to) in changes where self.item(at: to) != item {
      throw .itemNotAt(item, to)
    }
  }
}
