/// The items in a range of a list, as a list of its own that follows the complete list.
///
/// ```swift
/// var window = SnapshotWindow(0..<50, of: all)
/// let before = window.list
/// try all.moveItem("ada", afterItem: "zoe")
/// let touched = window.follow(all, changed: ["ada"], range: 0..<50)
/// let diff = window.list.difference(from: before, touched: touched)
/// ```
///
/// The range counts shown items from 0, with the sections one after the other. The window contains
/// a section if it contains one of its items or if the section is pinned.
///
/// Apart from the changed items, a window after an edit is still one contiguous run of the list. So
/// a step only removes the items outside its two edges and inserts the missing ones.
package struct SnapshotWindow<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  package typealias List = Snapshot<SectionID, ItemID>

  @usableFromInline package internal(set) var list: List
  @usableFromInline var range: Range<Int>

  /// Creates a window over a range that may extend beyond the end of the list. O(w + s) for w items in the
  /// window and s sections of the complete list.
  @inlinable
  package init(_ range: Range<Int>, of all: List) {
    self.range = range
    var start = 0
    var lists: [(id: SectionID, items: [ItemID])] = []
    all.index.forEachSection(.shown) { section, counts, isPinned in
      let end = start + Int(counts.shownItems)
      let inside = range.clamped(to: start..<end)
      if !inside.isEmpty {
        let cursor = all.index.cursor(
          inSection: section, inside.lowerBound - start..<inside.upperBound - start)
        lists.append((all.sections[section], Array(List.Items(cursor: cursor, ids: all.items))))
      } else if isPinned {
        lists.append((all.sections[section], []))
      }
      start = end
    }
    // Cannot fail: a part of a list has no duplicates.
    list = (try? Snapshot(lists)) ?? Snapshot()
  }

  /// Updates the window to a newer state of the list, another range, or both. O(log n) per item that
  /// changed or crossed an edge; returns these. `changed` has all items that were inserted, deleted, moved,
  /// hidden or shown since the last call. Pins must not have changed.
  @inlinable
  package mutating func follow(_ all: List, changed: Set<ItemID> = [], range: Range<Int>) -> Set<ItemID> {
    self.range = range
    var touched = changed
    for item in changed { remove(item, all) }
    while let first = list.item(atIndex: 0), !isInside(first, of: all, { $0 >= range.lowerBound }) {
      remove(first, all)
      touched.insert(first)
    }
    while let last = list.item(atIndex: list.numberOfItems - 1),
      !isInside(last, of: all, { $0 < range.upperBound })
    {
      remove(last, all)
      touched.insert(last)
    }
    for number in missing(in: all, changed) {
      if let item = insert(number, all) { touched.insert(item) }
    }
    return touched
  }

  @inlinable
  func isInside(_ item: ItemID, of all: List, _ edge: (Int) -> Bool) -> Bool {
    all.indexOfItem(item).map(edge) ?? false
  }

  /// Returns the indexes of the items that belong in the window and are missing, in order.
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

  // The edits below cannot fail, because their conditions are checked first.

  @inlinable
  mutating func remove(_ item: ItemID, _ all: List) {
    guard let section = list.sectionIdentifier(containingItem: item) else { return }
    try? list.deleteItems([item])
    if list.numberOfItems(inSection: section) == 0, all.isPinned(section: section) != true {
      try? list.deleteSections([section])
    }
  }

  /// Inserts an item. All items before it in the window must already be there.
  @inlinable
  mutating func insert(_ number: Int, _ all: List) -> ItemID? {
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
