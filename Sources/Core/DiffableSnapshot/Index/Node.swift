/// A node of the tree that orders sections and, below each section, its items. Positions are counts
/// of preceding elements, so an insertion renumbers nothing.
///
/// The levels from the root are: trunks, which order sections; sections, which have at most one child;
/// branches; and leaves, which hold up to 63 item numbers and one visibility bit for each. Nodes are
/// values: copies of a tree share the arrays of its nodes, and an edit copies only those on its path.
@usableFromInline
struct Node: Sendable {
  @usableFromInline
  enum Kind: UInt8, Sendable { case leaf, branch, section, trunk }

  /// The number of the node, by which its parent is found. It stays the same when the content changes.
  let number: UInt32
  let kind: Kind
  /// The number of levels above the leaves, or for trunks above the sections.
  let height: UInt8
  /// For a section: true if it is shown even though all its items are hidden.
  var isPinned = false
  var section: UInt32 = 0
  var counts = NodeCounts()
  /// For a leaf: the visibility of each item. The lowest bit belongs to the first item.
  var shown: UInt64 = 0
  var items: [UInt32] = []
  var children: [Node] = []

  static let leafLimit = 63
  static let leafMinimum = 16
  static let leafFill = 48
  static let fanLimit = 31
  static let fanMinimum = 8
  static let fanFill = 24

  init(number: UInt32, kind: Kind, height: Int) {
    self.number = number
    self.kind = kind
    self.height = UInt8(height)
  }
}

@usableFromInline
struct NodeCounts: Hashable, Sendable {
  @usableFromInline var items: UInt32 = 0
  @usableFromInline var shownItems: UInt32 = 0
  @usableFromInline var sections: UInt32 = 0
  @usableFromInline var shownSections: UInt32 = 0

  static func += (total: inout NodeCounts, part: NodeCounts) {
    total.items += part.items
    total.shownItems += part.shownItems
    total.sections += part.sections
    total.shownSections += part.shownSections
  }
}

/// The elements to count: shown ones, or all including hidden ones.
@usableFromInline
enum CountScope {
  case shown, all
}

extension NodeCounts {
  /// True for the counts of a section that is shown.
  @usableFromInline var isShown: Bool { shownSections > 0 }
  @usableFromInline func items(_ scope: CountScope) -> Int { Int(scope == .all ? items : shownItems) }
  @usableFromInline func sections(_ scope: CountScope) -> Int {
    Int(scope == .all ? sections : shownSections)
  }
}

extension Node {
  mutating func refreshCounts() {
    var counts = NodeCounts()
    if kind == .leaf {
      counts.items = UInt32(items.count)
      counts.shownItems = UInt32(shown.nonzeroBitCount)
    } else {
      for slot in children.indices { counts += children.address(of: slot).pointee.counts }
    }
    if kind == .section {
      counts.sections = 1
      counts.shownSections = isPinned || counts.shownItems > 0 || counts.items == 0 ? 1 : 0
    }
    self.counts = counts
  }

  var load: Int { kind == .leaf ? items.count : children.count }

  var isOverfull: Bool {
    switch kind {
    case .leaf: items.count > Node.leafLimit
    case .branch, .trunk: children.count > Node.fanLimit
    case .section: false
    }
  }

  var isUnderfull: Bool {
    switch kind {
    case .leaf: items.count < Node.leafMinimum
    case .branch, .trunk: children.count < Node.fanMinimum
    case .section: false
    }
  }

  /// The address of the node's storage. As long as both trees exist, nodes with equal addresses
  /// have the same content.
  var storage: UInt {
    kind == .leaf
      ? items.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
      : children.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
  }

  /// Returns true if both nodes share their content. Empty nodes share nothing.
  func isShared(with other: Node) -> Bool {
    load > 0 && kind == other.kind && shown == other.shown && isPinned == other.isPinned
      && load == other.load && storage == other.storage
  }

  /// Returns the slot of the leaf's n-th item in the scope.
  func slot(ofItem index: Int, _ scope: CountScope) -> Int {
    if scope == .all { return index }
    var bits = shown
    for _ in 0..<index { bits &= bits - 1 }
    return bits.trailingZeroBitCount
  }

  func shownCount(before slot: Int) -> Int { (shown & ((1 << UInt64(slot)) - 1)).nonzeroBitCount }

  func isShown(_ slot: Int) -> Bool { shown >> UInt64(slot) & 1 == 1 }

  mutating func insertItem(_ item: UInt32, at slot: Int, isShown: Bool) {
    items.insert(item, at: slot)
    let below: UInt64 = (1 << UInt64(slot)) - 1
    shown = (shown & below) | (shown & ~below) << 1 | (isShown ? 1 << UInt64(slot) : 0)
  }

  mutating func removeItem(at slot: Int) {
    items.remove(at: slot)
    let below: UInt64 = (1 << UInt64(slot)) - 1
    shown = (shown & below) | (shown >> 1) & ~below
  }

  mutating func setShown(_ isShown: Bool, at slot: Int) {
    let bit: UInt64 = 1 << UInt64(slot)
    shown = isShown ? shown | bit : shown & ~bit
  }
}
