extension Snapshot {
  /// Returns a sequence of the items of a section, empty if there is no such section.
  ///
  /// Nothing is copied or allocated. Each item costs O(1) amortised.
  @inlinable
  public func items(inSection section: SectionID) -> Items { items(inSection: section, 0..<Int.max) }

  /// Returns a sequence of the items in a range of a section. The range is clamped to the existing items.
  ///
  /// Starts in O(log n). Each item costs O(1) amortised.
  @inlinable
  public func items(inSection section: SectionID, _ range: Range<Int>) -> Items {
    guard let number = shownSection(section) else { return items(in: 0..<0) }
    return Items(cursor: index.cursor(inSection: number, range), ids: items)
  }

  /// Returns a sequence of the items in a range of the complete list, with its sections one after
  /// the other. The range is clamped to the existing items.
  ///
  /// Starts in O(log n). Each item costs O(1) amortised.
  ///
  /// ```swift
  /// let page = Array(snapshot.items(in: 40..<60))
  /// ```
  @inlinable
  public func items(in range: Range<Int>) -> Items { Items(cursor: index.cursor(range), ids: items) }

  /// A sequence of items of a snapshot, in order.
  public struct Items: Sequence, IteratorProtocol, Sendable {
    @usableFromInline var cursor: ItemCursor
    @usableFromInline var ids: PagedVector<ItemID>.Reader

    @inlinable
    init(cursor: ItemCursor, ids: IDTable<ItemID>) {
      self.cursor = cursor
      self.ids = ids.reader()
    }

    /// Returns the next item, or nil at the end.
    @inlinable
    public mutating func next() -> ItemID? {
      guard let item = cursor.nextItem() else { return nil }
      return ids.id(item)
    }
  }
}
