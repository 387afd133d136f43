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

  /// Calls `body` with each item and its number, in the order of the list. O(n).
  ///
  /// - Parameters:
  ///   - includesHidden: True to include hidden items.
  ///   - body: Called with the number and the item.
  @inlinable
  package func forEachItem(includingHidden includesHidden: Bool, _ body: (Int, ItemID) -> Void) {
    var reader = items.reader()
    index.forEachItem(includesHidden ? .all : .shown) { body(Int($0), reader.id($0)) }
  }

  /// Hides and shows items by a filter that gets their numbers. No identifier is read.
  ///
  /// - Parameters:
  ///   - asked: The items for which the filter is evaluated.
  ///   - isHidden: Returns true if the item with a number is to be hidden. Called once per asked
  ///     item, in order.
  @inlinable
  package mutating func setHiddenNumbers(asking asked: AskedItems = .all, where isHidden: (Int) -> Bool) {
    index.setShown(asking: asked) { !isHidden(Int($0)) }
  }
}
