extension Snapshot {
  /// The items of a section in order, one at a time; none if there is no such section.
  ///
  /// Nothing is copied or allocated; each next item costs O(1) on average.
  @inlinable
  public func items(inSection section: SectionID) -> Items { items(inSection: section, 0..<Int.max) }

  /// Some items of a section in order, counted from its first. What lies outside is left out.
  @inlinable
  public func items(inSection section: SectionID, _ range: Range<Int>) -> Items {
    guard let number = shownSection(section) else { return items(in: 0..<0) }
    return Items(cursor: index.cursor(inSection: number, range), ids: items)
  }

  /// Some items of the whole list, sections one after the other: a window. What lies outside is left out.
  ///
  /// ```swift
  /// let page = Array(snapshot.items(in: 40..<60))
  /// ```
  @inlinable
  public func items(in range: Range<Int>) -> Items { Items(cursor: index.cursor(range), ids: items) }

  /// Items of a snapshot in order.
  public struct Items: Sequence, IteratorProtocol, Sendable {
    @usableFromInline var cursor: ItemCursor
    @usableFromInline let ids: IDTable<ItemID>
    @usableFromInline var reader = PagedVector<ItemID>.Reader()

    @inlinable
    init(cursor: ItemCursor, ids: IDTable<ItemID>) {
      self.cursor = cursor
      self.ids = ids
    }

    @inlinable
    public mutating func next() -> ItemID? {
      guard let item = cursor.nextItem() else { return nil }
      return ids.id(item, &reader)
    }
  }
}
