extension Snapshot {
  /// The snapshot after a difference, by the rules that stand at `SnapshotDiff`. O(log n) for each change.
  ///
  /// Hidden items and marks are not carried over. Every `from` must name what is there, and every update's `to` what is
  /// there in the end.
  ///
  /// - Throws: `itemNotAt` or `sectionNotAt` where the difference was made for another snapshot; `sectionNotEmpty`,
  ///   `duplicateItem`, `duplicateSection`, `unknownSection` or `indexOutOfRange` where it contradicts itself.
  @inlinable
  public func applying(_ diff: SnapshotDiff<SectionID, ItemID>) throws(Failure) -> Snapshot {
    var result = withoutHidden()
    result.clearMarks()
    try result.takeOutItems(diff.changes, as: self)
    try result.applySections(diff.sections, as: self)
    try result.putInItems(diff.changes)
    return result
  }

  @inlinable
  mutating func takeOutItems(
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
        if index.locate(section: number).itemCount(.all) > 0 { throw .sectionNotEmpty(section) }
        try deleteSections([section])
      case .move:
        // Those taken out wait behind the others, in any order.
        index.moveSection(number, to: numberOfAllSections - 1)
        parked += 1
      case .insert, .update: continue
      }
    }
    try putInSections(changes, parked: parked)
  }

  @inlinable
  mutating func putInSections(
    _ changes: [SnapshotDiff<SectionID, ItemID>.SectionChange], parked: Int
  ) throws(Failure) {
    var parked = parked
    let placed = changes.compactMap { change in change.to.map { (to: $0, change: change) } }.sorted { $0.to < $1.to }
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
  mutating func putInItems(_ changes: [SnapshotDiff<SectionID, ItemID>.ItemChange]) throws(Failure) {
    var placed: [(item: ItemID, to: Place<SectionID>)] = []
    for change in changes {
      if case .update = change { continue }
      if let to = change.to { placed.append((change.item, to)) }
    }
    // Sections do not depend on each other, so that lowest first in each is enough.
    placed.sort { $0.to.index < $1.to.index }
    for (item, to) in placed { try insertItem(item, inSection: to.section, at: to.index) }
    for case .update(let item, _, let to) in changes where self.item(at: to) != item { throw .itemNotAt(item, to) }
  }
}
