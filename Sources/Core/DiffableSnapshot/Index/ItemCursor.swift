/// Iterates over shown items in order. Costs O(log n) per leaf and allocates nothing.
@usableFromInline
struct ItemCursor: Sendable {
  @usableFromInline let root: Node
  /// The number of shown items under `root` before the next one.
  @usableFromInline var next: Int
  @usableFromInline let end: Int
  @usableFromInline var items: [UInt32] = []
  /// The shown items of the leaf that remain, one bit each.
  @usableFromInline var rest: UInt64 = 0

  /// Iterates over a range of the items under `root`. The range is clamped to the existing items.
  init(over root: Node, _ range: Range<Int>) {
    self.root = root
    next = max(range.lowerBound, 0)
    end = min(range.upperBound, root.counts.items(.shown))
  }

  @inlinable
  mutating func nextItem() -> UInt32? {
    if next >= end { return nil }
    if rest == 0 { enterLeaf() }
    defer {
      rest &= rest - 1
      next += 1
    }
    return items[rest.trailingZeroBitCount]
  }

  @usableFromInline
  mutating func enterLeaf() {
    let (leaf, skipped) = OrderedIndex.child(of: root, at: next, until: .leaf) { $0.items(.shown) }
    items = leaf.items
    rest = leaf.shown
    for _ in 0..<skipped { rest &= rest - 1 }
  }
}

extension OrderedIndex {
  @usableFromInline
  func cursor(_ range: Range<Int>) -> ItemCursor { ItemCursor(over: root, range) }

  @usableFromInline
  func cursor(inSection section: UInt32, _ range: Range<Int>) -> ItemCursor {
    ItemCursor(over: sectionNode(section), range)
  }
}
