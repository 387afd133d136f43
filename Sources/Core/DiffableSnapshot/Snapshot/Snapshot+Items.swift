extension Snapshot {
  /// Appends items to a section. O(log n) per item.
  ///
  /// - Parameters:
  ///   - new: The items, none of which is in the snapshot.
  ///   - section: The section, or nil for the last shown one.
  /// - Throws: ``SnapshotError``: `duplicateItem`, `unknownSection`, or `noSections`.
  @inlinable
  public mutating func appendItems(_ new: [ItemID], toSection section: SectionID? = nil) throws(Failure) {
    let target: UInt32
    if let section {
      target = try number(ofSection: section)
    } else {
      guard let last = index.section(at: numberOfSections - 1, .shown) else { throw .noSections }
      target = last
    }
    try insert(new, inSection: target, at: index.locate(section: target).counts.items(.all))
  }

  /// Inserts items before another item. O(log n) per item.
  ///
  /// - Throws: ``SnapshotError``: `duplicateItem`, or `unknownItem` for `item`.
  @inlinable
  public mutating func insertItems(_ new: [ItemID], beforeItem item: ItemID) throws(Failure) {
    let location = index.locate(item: try number(of: item))
    try insert(new, inSection: location.section, at: location.index(.all))
  }

  /// Inserts items after another item. O(log n) per item.
  ///
  /// - Throws: ``SnapshotError``: `duplicateItem`, or `unknownItem` for `item`.
  @inlinable
  public mutating func insertItems(_ new: [ItemID], afterItem item: ItemID) throws(Failure) {
    let location = index.locate(item: try number(of: item))
    try insert(new, inSection: location.section, at: location.index(.all) + 1)
  }

  /// Inserts an item at an index of a section. O(log n).
  ///
  /// - Parameter place: The index of the shown item that will follow it, or the number of shown
  ///   items to append it.
  /// - Throws: ``SnapshotError``: `duplicateItem`, `unknownSection`, or `indexOutOfRange`.
  @inlinable
  public mutating func insertItem(_ item: ItemID, inSection section: SectionID, at place: Int) throws(Failure)
  {
    let target = try number(ofSection: section)
    try check(place, upTo: index.locate(section: target).counts.items(.shown))
    try checkNew(item)
    add(item, inSection: target, at: index.indexAmongAll(inSection: target, shownIndex: place), isShown: true)
  }

  /// Deletes items. Their sections stay, even if they become empty. O(log n) per item.
  ///
  /// - Throws: ``SnapshotError``: `unknownItem`.
  @inlinable
  public mutating func deleteItems(_ old: [ItemID]) throws(Failure) {
    for item in old { _ = try number(of: item) }
    for item in old {
      // An item that is listed twice is already deleted the second time.
      if let number = items.number(of: item) { remove(number) }
    }
  }

  /// Moves an item to an index of a section, its own or another. O(log n).
  ///
  /// - Parameter place: The new index among the shown items, counted without the moved item.
  /// - Throws: ``SnapshotError``: `unknownItem`, `unknownSection`, or `indexOutOfRange`.
  @inlinable
  public mutating func moveItem(_ item: ItemID, toSection section: SectionID, at place: Int) throws(Failure) {
    let number = try number(of: item)
    let target = try self.number(ofSection: section)
    let location = index.locate(item: number)
    let isInside = location.section == target
    let count = index.locate(section: target).counts.items(.shown)
    try check(place, upTo: isInside && location.isShown ? count - 1 : count)
    var shownIndex = place
    if isInside, location.isShown, place >= location.index(.shown) { shownIndex += 1 }
    var position = index.indexAmongAll(inSection: target, shownIndex: shownIndex)
    if isInside, position > location.index(.all) { position -= 1 }
    index.moveItem(number, toSection: target, at: position)
  }

  /// Moves an item before another one, in the same or another section. O(log n).
  ///
  /// - Throws: ``SnapshotError``: `unknownItem`, or `itemRelativeToItself`.
  @inlinable
  public mutating func moveItem(_ item: ItemID, beforeItem other: ItemID) throws(Failure) {
    try move(item, nextTo: other, offset: 0)
  }

  /// Moves an item after another one, in the same or another section. O(log n).
  ///
  /// - Throws: ``SnapshotError``: `unknownItem`, or `itemRelativeToItself`.
  @inlinable
  public mutating func moveItem(_ item: ItemID, afterItem other: ItemID) throws(Failure) {
    try move(item, nextTo: other, offset: 1)
  }

  @inlinable
  mutating func move(_ item: ItemID, nextTo other: ItemID, offset: Int) throws(Failure) {
    let number = try number(of: item)
    let anchor = try self.number(of: other)
    if number == anchor { throw .itemRelativeToItself(item) }
    let from = index.locate(item: number)
    let to = index.locate(item: anchor)
    let isBefore = from.section == to.section && from.index(.all) < to.index(.all)
    index.moveItem(number, toSection: to.section, at: to.index(.all) + offset - (isBefore ? 1 : 0))
  }

  @inlinable
  mutating func insert(_ new: [ItemID], inSection section: UInt32, at position: Int) throws(Failure) {
    for item in new { try checkNew(item) }
    for (offset, item) in new.enumerated() {
      if items.number(of: item) != nil {
        // The item is twice among the new ones, so the inserted ones are removed again.
        for item in new[..<offset] { if let number = items.number(of: item) { remove(number) } }
        throw .duplicateItem(item)
      }
      add(item, inSection: section, at: position + offset, isShown: true)
    }
  }

  @inlinable
  mutating func add(_ item: ItemID, inSection section: UInt32, at position: Int, isShown: Bool) {
    items.add(item, as: index.addItem(inSection: section, at: position, isShown: isShown))
  }

  @inlinable
  mutating func remove(_ number: UInt32) {
    index.removeItem(number)
    items.remove(number)
    marks.forgetItem(number)
  }

  @inlinable
  func number(of item: ItemID) throws(Failure) -> UInt32 {
    guard let number = items.number(of: item) else { throw .unknownItem(item) }
    return number
  }

  @inlinable
  func number(ofSection section: SectionID) throws(Failure) -> UInt32 {
    guard let number = sections.number(of: section) else { throw .unknownSection(section) }
    return number
  }

  @inlinable
  func checkNew(_ item: ItemID) throws(Failure) {
    if items.number(of: item) != nil { throw .duplicateItem(item) }
  }

  @inlinable
  func check(_ index: Int, upTo limit: Int) throws(Failure) {
    if index < 0 || index > limit { throw .indexOutOfRange(index, limit: limit) }
  }
}
