/// The items of a list whose numbers lie in a range, as a list of their own that follows the first as it changes.
///
/// Numbers count shown items from zero, sections one after the other. A section is there while the window holds an item of it, or where the list pins it.
///
/// What an edit leaves of a window is a run of the list, which lacks only what was changed: so a step takes off what is past its two edges, puts in what is
/// new there and between, and looks at nothing else.
package struct SnapshotWindow<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  package typealias List = Snapshot<SectionID, ItemID>

  /// What the window shows.
  @usableFromInline package internal(set) var list: List
  @usableFromInline var range: Range<Int>

  /// Linear in the window and in the number of sections.
  ///
  /// - Parameter range: may go past the end of the list. Not below zero.
  @inlinable
  package init(_ range: Range<Int>, of all: List) {
    self.range = range
    var start = 0
    var lists: [(id: SectionID, items: [ItemID])] = []
    for section in all.sectionIdentifiers {
      let end = start + all.numberOfItems(inSection: section)
      let inside = range.clamped(to: start..<end)
      let items = inside.isEmpty ? [] : Array(all.items(inSection: section, inside.lowerBound - start..<inside.upperBound - start))
      if !items.isEmpty || all.isPinned(section: section) == true { lists.append((section, items)) }
      start = end
    }
    // What is there once in a list is so in a part of it.
    list = (try? Snapshot(lists)) ?? Snapshot()
  }

  /// Goes on to a newer state of the list, to another range of it, or both. O(log n) for each item that changed or crosses an edge.
  ///
  /// - Parameter changed: every item that came, went, moved, or was hidden or shown since the last call. Pins stay as they were.
  /// - Returns: those, and the items that crossed an edge without having changed.
  @inlinable
  package mutating func follow(_ all: List, changed: Set<ItemID> = [], range: Range<Int>) -> Set<ItemID> {
    self.range = range
    var touched = changed
    for item in changed { takeOut(item, all) }
    while let first = list.item(atIndex: 0), !isInside(first, of: all, { $0 >= range.lowerBound }) {
      takeOut(first, all)
      touched.insert(first)
    }
    while let last = list.item(atIndex: list.numberOfItems - 1), !isInside(last, of: all, { $0 < range.upperBound }) {
      takeOut(last, all)
      touched.insert(last)
    }
    for number in missing(in: all, changed) {
      if let item = putIn(number, all) { touched.insert(item) }
    }
    return touched
  }

  @inlinable
  func isInside(_ item: ItemID, of all: List, _ edge: (Int) -> Bool) -> Bool { all.indexOfItem(item).map(edge) ?? false }

  /// The numbers of the items that belong into the window and are not there, in order.
  @inlinable
  func missing(in all: List, _ changed: Set<ItemID>) -> [Int] {
    let end = min(range.upperBound, all.numberOfItems)
    let start = min(range.lowerBound, end)
    guard let first = list.item(atIndex: 0).flatMap(all.indexOfItem),
      let last = list.item(atIndex: list.numberOfItems - 1).flatMap(all.indexOfItem)
    else { return Array(start..<end) }
    let between = changed.compactMap(all.indexOfItem).filter { first < $0 && $0 < last }
    return Array(start..<first) + between.sorted() + Array(last + 1..<end)
  }

  // The edits below cannot fail: each asks first for what would be missing or there twice.

  @inlinable
  mutating func takeOut(_ item: ItemID, _ all: List) {
    guard let section = list.sectionIdentifier(containingItem: item) else { return }
    try? list.deleteItems([item])
    if list.numberOfItems(inSection: section) == 0, all.isPinned(section: section) != true { try? list.deleteSections([section]) }
  }

  /// All that stands before it in the window must be there.
  @inlinable
  mutating func putIn(_ number: Int, _ all: List) -> ItemID? {
    guard let item = all.item(atIndex: number), let place = all.place(of: item) else { return nil }
    if !list.containsSection(place.section), let rank = all.indexOfSection(place.section) {
      let ownRank = list.sectionPartitionPointAmongAll { all.indexOfSection($0).map { $0 > rank } ?? true }
      try? list.insertSection(place.section, at: ownRank)
    }
    let leftOut = max(0, range.lowerBound - (number - place.index))
    try? list.insertItem(item, inSection: place.section, at: place.index - leftOut)
    return item
  }
}
