extension Snapshot {
  /// Appends empty sections. O(log n) per section.
  ///
  /// - Throws: ``SnapshotError``: `duplicateSection`.
  @inlinable
  public mutating func appendSections(_ new: [SectionID]) throws(Failure) {
    try insert(new, at: Int(index.counts.sections))
  }

  /// Inserts empty sections before another section. O(log n) per section.
  ///
  /// - Throws: ``SnapshotError``: `duplicateSection`, or `unknownSection` for `section`.
  @inlinable
  public mutating func insertSections(_ new: [SectionID], beforeSection section: SectionID) throws(Failure) {
    try insert(new, at: index.locate(section: try number(ofSection: section)).before.sections(.all))
  }

  /// Inserts empty sections after another section. O(log n) per section.
  ///
  /// - Throws: ``SnapshotError``: `duplicateSection`, or `unknownSection` for `section`.
  @inlinable
  public mutating func insertSections(_ new: [SectionID], afterSection section: SectionID) throws(Failure) {
    try insert(new, at: index.locate(section: try number(ofSection: section)).before.sections(.all) + 1)
  }

  /// Inserts an empty section. O(log n).
  ///
  /// - Parameter place: The number of the shown section that will follow it, or the number of
  ///   sections to append it.
  /// - Throws: ``SnapshotError``: `duplicateSection`, or `indexOutOfRange`.
  @inlinable
  public mutating func insertSection(_ section: SectionID, at place: Int) throws(Failure) {
    try check(place, upTo: numberOfSections)
    try insert([section], at: index.rankAmongAll(shownRank: place))
  }

  /// Deletes sections with all their items, including hidden ones. O(k + log n) for k items.
  ///
  /// - Throws: ``SnapshotError``: `unknownSection`.
  @inlinable
  public mutating func deleteSections(_ old: [SectionID]) throws(Failure) {
    for section in old { _ = try number(ofSection: section) }
    for section in old {
      guard let number = sections.number(of: section) else { continue }
      for item in index.allItems(inSection: number) {
        items.remove(item)
        marks.forgetItem(item)
      }
      index.removeSection(number)
      sections.remove(number)
      marks.forgetSection(number)
    }
  }

  /// Moves a section with its items before another one. O(log n).
  ///
  /// - Throws: ``SnapshotError``: `unknownSection`, or `sectionRelativeToItself`.
  @inlinable
  public mutating func moveSection(_ section: SectionID, beforeSection other: SectionID) throws(Failure) {
    try move(section, nextTo: other, offset: 0)
  }

  /// Moves a section with its items after another one. O(log n).
  ///
  /// - Throws: ``SnapshotError``: `unknownSection`, or `sectionRelativeToItself`.
  @inlinable
  public mutating func moveSection(_ section: SectionID, afterSection other: SectionID) throws(Failure) {
    try move(section, nextTo: other, offset: 1)
  }

  @inlinable
  mutating func move(_ section: SectionID, nextTo other: SectionID, offset: Int) throws(Failure) {
    let number = try number(ofSection: section)
    let anchor = try self.number(ofSection: other)
    if number == anchor { throw .sectionRelativeToItself(section) }
    let from = index.locate(section: number).before.sections(.all)
    let to = index.locate(section: anchor).before.sections(.all)
    index.moveSection(number, to: to + offset - (from < to ? 1 : 0))
  }

  @inlinable
  mutating func insert(_ new: [SectionID], at rank: Int) throws(Failure) {
    var seen: Set<SectionID> = []
    for section in new where sections.number(of: section) != nil || !seen.insert(section).inserted {
      throw .duplicateSection(section)
    }
    for (offset, section) in new.enumerated() {
      sections.add(section, as: index.addSection(at: rank + offset))
    }
  }

  @inlinable
  func sectionNumbers(_ scope: CountScope) -> [UInt32] {
    var numbers: [UInt32] = []
    index.forEachSection(scope) { number, _, _ in numbers.append(number) }
    return numbers
  }
}
