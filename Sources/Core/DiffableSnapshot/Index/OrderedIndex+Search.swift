extension OrderedIndex {
  /// Returns the first index in a section from which on `belongsAfter` is true, with O(log n) calls.
  @usableFromInline
  func partitionPoint(inSection section: UInt32, _ scope: CountScope, where belongsAfter: (UInt32) -> Bool)
    -> Int
  {
    var node = sectionNode(section)
    var passed = 0
    while node.kind != .leaf {
      let point = node.childPoint(scope, where: belongsAfter)
      guard let slot = node.children[..<point].lastIndex(where: { $0.counts.items(scope) > 0 }) else {
        return passed
      }
      for child in node.children[..<slot] { passed += child.counts.items(scope) }
      node = node.children[slot]
    }
    let items = 0..<node.counts.items(scope)
    return passed + items.partitionPoint { belongsAfter(node.items[node.slot(ofItem: $0, scope)]) }
  }

  /// Returns the first rank of the sections from which on `belongsAfter` is true, in O(log² n).
  @usableFromInline
  func sectionPartitionPoint(_ scope: CountScope, where belongsAfter: (UInt32) -> Bool) -> Int {
    (0..<counts.sections(scope)).partitionPoint { section(at: $0, scope).map(belongsAfter) ?? true }
  }
}

extension Range<Int> {
  /// Returns the first number from which on `belongsAfter` is true, or the upper bound, by bisection.
  @inline(__always)
  func partitionPoint(where belongsAfter: (Int) -> Bool) -> Int {
    var low = lowerBound
    var high = upperBound
    while low < high {
      let middle = (low + high) / 2
      if belongsAfter(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Node {
  /// Returns the number of leading children whose first item does not belong after. Children
  /// without items in the scope are skipped.
  fileprivate func childPoint(_ scope: CountScope, where belongsAfter: (UInt32) -> Bool) -> Int {
    var low = 0
    var high = children.count
    while low < high {
      let middle = (low + high) / 2
      guard let tried = children[middle..<high].firstIndex(where: { $0.counts.items(scope) > 0 }) else {
        high = middle
        continue
      }
      let (leaf, rest) = OrderedIndex.child(of: children[tried], at: 0, until: .leaf) { $0.items(scope) }
      if belongsAfter(leaf.items[leaf.slot(ofItem: rest, scope)]) { high = middle } else { low = tried + 1 }
    }
    return low
  }
}

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
