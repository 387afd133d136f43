/// Goes over shown items in order, a leaf at a time: O(log n) a leaf, nothing allocated.
@usableFromInline
struct ItemCursor: Sendable {
  private let root: Node
  /// Counts shown items from the first under `root`.
  private var next: Int
  private let end: Int
  private var items: [UInt32] = []
  /// What of the leaf's shown items is still to come.
  private var rest: UInt64 = 0

  /// Bounds outside of what there is are drawn in.
  init(over root: Node, _ range: Range<Int>) {
    self.root = root
    next = max(range.lowerBound, 0)
    end = min(range.upperBound, root.counts.items(.shown))
  }

  @usableFromInline
  mutating func nextItem() -> UInt32? {
    if next >= end { return nil }
    if rest == 0 { enterLeaf() }
    defer {
      rest &= rest - 1
      next += 1
    }
    return items[rest.trailingZeroBitCount]
  }

  private mutating func enterLeaf() {
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
  func cursor(inSection section: UInt32, _ range: Range<Int>) -> ItemCursor { ItemCursor(over: sectionNode(section), range) }
}
