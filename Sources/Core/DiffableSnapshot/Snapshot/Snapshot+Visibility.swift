/// Hiding items instead of deleting them. A hidden item keeps its place in the order, so a search
/// that changes needs no new list. Each node counts both all and shown items.
///
/// A section whose items are all hidden is hidden, too, unless it is pinned. An empty section is shown.
///
/// ```swift
/// results.setHidden { !titles[$0, default: ""].contains("swift") }
/// results.setHidden(asking: .shown) { !titles[$0, default: ""].contains("swiftly") }   // a longer text can only hide more
/// ```
extension Snapshot {
  /// Hides and shows items by a filter. O(n), but only parts that change are copied.
  ///
  /// - Parameter isHidden: Returns true if an item is to be hidden. Called once per asked item, in order.
  @inlinable
  public mutating func setHidden(asking asked: AskedItems = .all, where isHidden: (ItemID) -> Bool) {
    var reader = items.reader()
    index.setShown(asking: asked) { !isHidden(reader.id($0)) }
  }

  /// Shows all items. O(n / 48), and O(1) if nothing is hidden.
  @inlinable
  public mutating func showAllItems() { index.showAll() }

  /// Hides or shows items. O(log n) per item.
  ///
  /// - Throws: ``SnapshotError``: `unknownItem`.
  @inlinable
  public mutating func setHidden(_ isHidden: Bool, _ ids: some Collection<ItemID>) throws(Failure) {
    for id in ids { _ = try number(of: id) }
    for id in ids {
      let number = try number(of: id)
      if index.locate(item: number).isShown == isHidden { index.setShown(!isHidden, item: number) }
    }
  }

  /// Returns true if an item is hidden, or nil if it is not in the snapshot. O(log n).
  @inlinable
  public func isHidden(_ item: ItemID) -> Bool? {
    items.number(of: item).map { !index.locate(item: $0).isShown }
  }

  /// Pins or unpins a section. A pinned section is shown even if all its items are hidden. O(log n).
  ///
  /// - Throws: ``SnapshotError``: `unknownSection`.
  @inlinable
  public mutating func setPinned(_ isPinned: Bool, section: SectionID) throws(Failure) {
    let number = try number(ofSection: section)
    if index.locate(section: number).isPinned != isPinned { index.setPinned(isPinned, section: number) }
  }

  /// Returns true if a section is pinned, or nil if it is not in the snapshot. O(log n).
  @inlinable
  public func isPinned(section: SectionID) -> Bool? {
    sections.number(of: section).map { index.locate(section: $0).isPinned }
  }
}

/// Queries and edits that count hidden items and sections, too.
extension Snapshot {
  /// The number of items, including hidden ones. O(1).
  @inlinable
  public var numberOfAllItems: Int { Int(index.counts.items) }

  /// The number of sections, including hidden ones. O(1).
  @inlinable
  public var numberOfAllSections: Int { Int(index.counts.sections) }

  /// Returns the number of items of a section, including hidden ones, or nil if there is no such
  /// section. O(log n).
  @inlinable
  public func numberOfAllItems(inSection section: SectionID) -> Int? {
    sections.number(of: section).map { index.locate(section: $0).counts.items(.all) }
  }

  /// Returns all items of a section in order, including hidden ones. O(k + log n) for k items.
  @inlinable
  public func allItemIdentifiers(inSection section: SectionID) -> [ItemID] {
    guard let number = sections.number(of: section) else { return [] }
    return index.allItems(inSection: number).map { items[$0] }
  }

  /// All sections in order, including hidden ones. O(s) for s sections.
  @inlinable
  public var allSectionIdentifiers: [SectionID] { sectionNumbers(.all).map { sections[$0] } }

  /// Returns the place of an item among all items of its section, including hidden ones. Nil if it
  /// is not in the snapshot. O(log n).
  @inlinable
  public func placeAmongAll(of item: ItemID) -> Place<SectionID>? {
    guard let number = items.number(of: item) else { return nil }
    let location = index.locate(item: number)
    return Place(section: sections[location.section], index: location.index(.all))
  }

  /// Returns the index at which to insert an item into a sorted section, as
  /// ``partitionPoint(inSection:where:)`` does, but counted among all items including hidden ones.
  @inlinable
  public func partitionPointAmongAll(inSection section: SectionID, where belongsAfter: (ItemID) -> Bool)
    -> Int
  {
    guard let number = sections.number(of: section) else { return 0 }
    return index.partitionPoint(inSection: number, .all) { belongsAfter(items[$0]) }
  }

  /// Returns the number at which to insert a section into sorted sections, counted among all
  /// sections including hidden ones.
  @inlinable
  public func sectionPartitionPointAmongAll(where belongsAfter: (SectionID) -> Bool) -> Int {
    index.sectionPartitionPoint(.all) { belongsAfter(sections[$0]) }
  }

  /// Inserts an item, hidden or not, at an index among all items of a section. O(log n).
  ///
  /// - Throws: ``SnapshotError``: `duplicateItem`, `unknownSection`, or `indexOutOfRange`.
  @inlinable
  public mutating func insertItem(
    _ item: ItemID, inSection section: SectionID, atIndexAmongAll place: Int, isHidden: Bool = false
  ) throws(Failure) {
    let target = try number(ofSection: section)
    try check(place, upTo: index.locate(section: target).counts.items(.all))
    try checkNew(item)
    add(item, inSection: target, at: place, isShown: !isHidden)
  }

  /// Moves an item to an index among all items of a section. A hidden item stays hidden. O(log n).
  ///
  /// - Parameter place: The new index among all items, counted without the moved item.
  /// - Throws: ``SnapshotError``: `unknownItem`, `unknownSection`, or `indexOutOfRange`.
  @inlinable
  public mutating func moveItem(_ item: ItemID, toSection section: SectionID, atIndexAmongAll place: Int)
    throws(Failure)
  {
    let number = try number(of: item)
    let target = try self.number(ofSection: section)
    let count = index.locate(section: target).counts.items(.all)
    try check(place, upTo: index.locate(item: number).section == target ? count - 1 : count)
    index.moveItem(number, toSection: target, at: place)
  }

  /// Inserts an empty section at a number among all sections. O(log n).
  ///
  /// - Throws: ``SnapshotError``: `duplicateSection`, or `indexOutOfRange`.
  @inlinable
  public mutating func insertSection(_ section: SectionID, atIndexAmongAll place: Int) throws(Failure) {
    try check(place, upTo: numberOfAllSections)
    try insert([section], at: place)
  }

  /// Moves a section to a number among all sections. O(log n).
  ///
  /// - Parameter place: The new number among all sections, counted without the moved one.
  /// - Throws: ``SnapshotError``: `unknownSection`, or `indexOutOfRange`.
  @inlinable
  public mutating func moveSection(_ section: SectionID, toIndexAmongAll place: Int) throws(Failure) {
    let number = try number(ofSection: section)
    try check(place, upTo: numberOfAllSections - 1)
    index.moveSection(number, to: place)
  }

  /// Returns a snapshot without the hidden items and sections. O(1) if nothing is hidden, otherwise O(n).
  @inlinable
  package func withoutHidden() -> Snapshot {
    if numberOfAllItems == numberOfItems, numberOfAllSections == numberOfSections { return self }
    var shown = self
    for section in sectionNumbers(.all) where !index.locate(section: section).counts.isShown {
      try? shown.deleteSections([sections[section]])  // Cannot fail: the section was just found.
    }
    for section in shown.sectionNumbers(.all) {
      for item in index.allItems(inSection: section) where !index.locate(item: item).isShown {
        shown.remove(item)
      }
    }
    return shown
  }
}
