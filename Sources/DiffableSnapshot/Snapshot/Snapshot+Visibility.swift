/// Which items a change of what is shown asks about.
public enum AskedItems: Sendable {
  case all
  /// Only those shown now: for a filter that became narrower.
  case shown
  /// Only those hidden now: for a filter that became wider.
  case hidden
}

/// What a filter leaves out can be hidden instead of deleted: it keeps its place in the order, so that a search that
/// changes needs no new list. Each part of the list keeps two counts, of all items and of the shown ones.
///
/// A section with items of which none is shown is not shown either, unless it is pinned; an empty section is.
///
/// ```swift
/// results.setHidden { !title[$0].contains("swift") }
/// results.setHidden(asking: .shown) { !title[$0].contains("swiftly") }   // a longer text can only hide more
/// ```
extension Snapshot {
  /// Hides and shows items as `isHidden` tells, called once for each item asked about, in order.
  ///
  /// O(n), but only parts where an answer is new are copied.
  @inlinable
  public mutating func setHidden(asking asked: AskedItems = .all, where isHidden: (ItemID) -> Bool) {
    let items = self.items
    var reader = PagedVector<ItemID>.Reader()
    index.setShown(asking: asked) { !isHidden(items.id($0, &reader)) }
  }

  /// Hides or shows items. O(log n) for each.
  ///
  /// - Throws: `unknownItem`.
  @inlinable
  public mutating func setHidden(_ isHidden: Bool, _ ids: some Collection<ItemID>) throws(Failure) {
    for id in ids { _ = try number(of: id) }
    for id in ids {
      let number = try number(of: id)
      if index.locate(item: number).isShown == isHidden { index.setShown(!isHidden, item: number) }
    }
  }

  /// Whether an item is there but hidden; nil if it is not there.
  @inlinable
  public func isHidden(_ item: ItemID) -> Bool? {
    items.number(of: item).map { !index.locate(item: $0).isShown }
  }

  /// Pins a section, so that it is shown even while all its items are hidden, or unpins it.
  ///
  /// - Throws: `unknownSection`.
  @inlinable
  public mutating func setPinned(_ isPinned: Bool, section: SectionID) throws(Failure) {
    let number = try number(ofSection: section)
    if index.locate(section: number).isPinned != isPinned { index.setPinned(isPinned, section: number) }
  }

  /// Whether a section is pinned; nil if it is not there.
  @inlinable
  public func isPinned(section: SectionID) -> Bool? {
    sections.number(of: section).map { index.locate(section: $0).isPinned }
  }
}

/// The list with what is hidden counted too.
extension Snapshot {
  @inlinable
  public var numberOfAllItems: Int { Int(index.counts.items) }

  @inlinable
  public var numberOfAllSections: Int { Int(index.counts.sections) }

  /// The number of items of a section, hidden ones included, or nil if there is no such section. O(log n).
  @inlinable
  public func numberOfAllItems(inSection section: SectionID) -> Int? {
    sections.number(of: section).map { index.locate(section: $0).itemCount(.all) }
  }

  /// Every item of a section in order, hidden ones included. O(n) of the section.
  @inlinable
  public func allItemIdentifiers(inSection section: SectionID) -> [ItemID] {
    guard let number = sections.number(of: section) else { return [] }
    return index.allItems(inSection: number).map { items[$0] }
  }

  /// Every section in order, hidden ones included. O(s log s).
  @inlinable
  public var allSectionIdentifiers: [SectionID] { sectionNumbers(.all).map { sections[$0] } }

  /// Where an item stands among all items of its section, hidden ones included. O(log n).
  @inlinable
  public func placeAmongAll(of item: ItemID) -> Place<SectionID>? {
    guard let number = items.number(of: item) else { return nil }
    let location = index.locate(item: number)
    return Place(section: sections[location.section], index: location.index(.all))
  }

  /// The same as `partitionPoint(inSection:where:)` among all items of a section, hidden ones included.
  @inlinable
  public func partitionPointAmongAll(inSection section: SectionID, where belongsAfter: (ItemID) -> Bool) -> Int {
    guard let number = sections.number(of: section) else { return 0 }
    return index.partitionPoint(inSection: number, .all) { belongsAfter(items[$0]) }
  }

  /// The first place among all sections, hidden ones included, from which on `belongsAfter` holds. O(log n) calls of it.
  @inlinable
  public func sectionPartitionPointAmongAll(where belongsAfter: (SectionID) -> Bool) -> Int {
    index.sectionPartitionPoint(.all) { belongsAfter(sections[$0]) }
  }

  /// Puts an item, hidden or not, before the one at `place` of all items of a section. O(log n).
  ///
  /// - Throws: `duplicateItem`, `unknownSection`, or `indexOutOfRange`.
  @inlinable
  public mutating func insertItem(
    _ item: ItemID, inSection section: SectionID, atIndexAmongAll place: Int, isHidden: Bool = false
  ) throws(Failure) {
    let target = try number(ofSection: section)
    try check(place, upTo: index.locate(section: target).itemCount(.all))
    try checkNew(item)
    add(item, inSection: target, at: place, isShown: !isHidden)
  }

  /// Moves an item before the one at `place` of all items of a section without it; hidden, it stays hidden. O(log n).
  ///
  /// - Throws: `unknownItem`, `unknownSection`, or `indexOutOfRange`.
  @inlinable
  public mutating func moveItem(_ item: ItemID, toSection section: SectionID, atIndexAmongAll place: Int) throws(Failure) {
    let number = try number(of: item)
    let target = try self.number(ofSection: section)
    let count = index.locate(section: target).itemCount(.all)
    try check(place, upTo: index.locate(item: number).section == target ? count - 1 : count)
    index.moveItem(number, toSection: target, at: place)
  }

  /// Puts an empty section before the one with the number `place` among all sections. O(log n).
  ///
  /// - Throws: `duplicateSection`, or `indexOutOfRange`.
  @inlinable
  public mutating func insertSection(_ section: SectionID, atIndexAmongAll place: Int) throws(Failure) {
    try check(place, upTo: numberOfAllSections)
    try insert([section], at: place)
  }

  /// Moves a section to a number among all other sections. O(log n).
  ///
  /// - Throws: `unknownSection`, or `indexOutOfRange`.
  @inlinable
  public mutating func moveSection(_ section: SectionID, toIndexAmongAll place: Int) throws(Failure) {
    let number = try number(ofSection: section)
    try check(place, upTo: numberOfAllSections - 1)
    index.moveSection(number, to: place)
  }

  /// A list of what is shown and nothing else. O(1) if nothing is hidden, else O(n).
  @inlinable
  public func withoutHidden() -> Snapshot {
    if numberOfAllItems == numberOfItems, numberOfAllSections == numberOfSections { return self }
    var shown = self
    for section in sectionNumbers(.all) where !index.locate(section: section).isShown {
      try? shown.deleteSections([sections[section]])  // It was just found there.
    }
    for section in shown.sectionNumbers(.all) {
      for item in index.allItems(inSection: section) where !index.locate(item: item).isShown { shown.remove(item) }
    }
    return shown
  }
}
