/// Access to items by small numbers instead of identifiers, for callers that keep something per
/// item in an array.
///
/// An item has the same number as long as it is in the list, however it moves and whether it is
/// hidden or not. Copies of a list agree on the numbers of the items that they share. The number of
/// a deleted item is used again for a new one.
extension Snapshot {
  /// One more than the highest number that an item of this list has or had. O(1).
  @inlinable
  package var itemNumberLimit: Int { index.itemLimit }

  /// Returns the number of an item, hidden or not, or nil if it is not in the list. O(log n).
  @inlinable
  package func itemNumber(of item: ItemID) -> Int? { items.number(of: item).map { Int($0) } }

  /// Returns the item with a number, which the list must have. O(log n).
  @inlinable
  package func item(withNumber number: Int) -> ItemID { items[UInt32(number)] }

  /// Calls `body` with each item and its number, in the order of the list. O(n).
  @inlinable
  package func forEachItem(includingHidden includesHidden: Bool, _ body: (Int, ItemID) -> Void) {
    var reader = items.reader()
    index.forEachItem(includesHidden ? .all : .shown) { body(Int($0), reader.id($0)) }
  }

  /// Calls `body` with the number of each shown item, in the order of the list. O(n). No identifier
  /// is read.
  @inlinable
  package func forEachShownNumber(_ body: (Int) -> Void) { index.forEachItem(.shown) { body(Int($0)) } }

  /// Hides and shows items by a filter that gets the number of each asked item once, in order. No
  /// identifier is read.
  @inlinable
  package mutating func setHiddenNumbers(asking asked: AskedItems = .all, where isHidden: (Int) -> Bool) {
    index.setShown(asking: asked) { !isHidden(Int($0)) }
  }

  /// Hides or shows the item with a number, which the list must have. O(log n).
  @inlinable
  package mutating func setHidden(_ isHidden: Bool, itemNumber number: Int) {
    index.setShown(!isHidden, item: UInt32(number))
  }

  /// Returns true if the item with a number, which the list must have, is hidden. O(log n).
  @inlinable
  package func isHidden(itemNumber number: Int) -> Bool { !index.locate(item: UInt32(number)).isShown }

  /// Returns this list with the shown items of each section in another order. `order` gets their numbers in
  /// the order of the list and returns the same numbers. The hidden items come after the shown ones. O(n).
  @inlinable
  package func reordered(_ order: ([UInt32]) -> [UInt32]) -> Snapshot {
    var result = self
    result.index.reorder(order)
    return result
  }

  /// Returns a newer list with the visibility that its items have in this one, so that many lists follow
  /// the edits of one. O(log n) per edit; nothing that the edits left is copied. This list was made of
  /// `base` by hiding items, `new` by edits; all items of `base` and `new` are shown.
  ///
  /// The visibility of an item that was deleted and inserted again is not known; so set it.
  @inlinable
  package func rebased(from base: Snapshot, onto new: Snapshot, showsNew: Bool = true) -> Snapshot {
    var result = new
    result.index = index.rebased(from: base.index, onto: new.index, showsNew: showsNew)
    return result
  }
}
