/// Sections in order and items in order within them, by number: the engine under `Snapshot`, which knows the
/// identifiers.
///
/// Every query and every edit of one item or section costs O(log n), in time and in memory that a copy does not share.
@usableFromInline
struct OrderedIndex: Sendable {
  var root: Node
  var links = Links()

  @usableFromInline
  init() {
    root = links.makeNode(.trunk, height: 1, under: NumberPool.none)
  }

  @usableFromInline var counts: Counts { root.counts }

  /// Whether both are copies of one index, with nothing done to either.
  @usableFromInline
  func isIdentical(to other: OrderedIndex) -> Bool { root.isShared(with: other.root) }
}

/// Where a section stands, hidden things counted or not.
@usableFromInline
struct SectionLocation: Sendable {
  /// Counts of what stands before the section.
  @usableFromInline var before = Counts()
  /// The section's own counts.
  @usableFromInline var counts = Counts()
  @usableFromInline var isPinned = false

  @usableFromInline var isShown: Bool { counts.shownSections > 0 }
  @usableFromInline func rank(_ scope: Scope) -> Int { before.sections(scope) }
  @usableFromInline func itemsBefore(_ scope: Scope) -> Int { before.items(scope) }
  @usableFromInline func itemCount(_ scope: Scope) -> Int { counts.items(scope) }
}

/// Where an item stands, hidden things counted or not.
@usableFromInline
struct ItemLocation: Sendable {
  @usableFromInline var section: UInt32 = 0
  /// Counts of what stands before the item's section.
  var before = Counts()
  /// Counts of what stands before the item in its section.
  var inside = Counts()
  @usableFromInline var isShown = false

  @usableFromInline func index(_ scope: Scope) -> Int { inside.items(scope) }
  @usableFromInline func rank(_ scope: Scope) -> Int { before.sections(scope) }
  @usableFromInline func globalIndex(_ scope: Scope) -> Int { before.items(scope) + inside.items(scope) }
}

extension OrderedIndex {
  @usableFromInline
  func locate(section: UInt32) -> SectionLocation {
    var trail = ItemLocation()
    let node = descend(to: links.sections[section], &trail)
    return SectionLocation(before: trail.before, counts: node.counts, isPinned: node.isPinned)
  }

  @usableFromInline
  func locate(item: UInt32) -> ItemLocation {
    var trail = ItemLocation()
    let leaf = descend(to: links.leaves[item], &trail)
    let slot = leaf.slot(of: item)
    trail.isShown = leaf.isShown(slot)
    trail.inside.items += UInt32(slot)
    trail.inside.shownItems += UInt32(leaf.shownCount(before: slot))
    return trail
  }

  func sectionNode(_ section: UInt32) -> Node {
    var trail = ItemLocation()
    return descend(to: links.sections[section], &trail)
  }

  /// Finds a node from its number, counting what it passes. The recursion is as deep as the tree.
  private func descend(to number: UInt32, _ trail: inout ItemLocation) -> Node {
    let parentNumber = links.parents[number]
    if parentNumber == NumberPool.none { return root }
    let parent = descend(to: parentNumber, &trail)
    if parent.kind == .section { trail.section = parent.section }
    let slot = parent.slot(ofChild: number)
    for passed in 0..<slot {
      if parent.kind == .trunk { trail.before += parent.children[passed].counts } else { trail.inside += parent.children[passed].counts }
    }
    return parent.children[slot]
  }

  /// The n-th section, if there are so many.
  @usableFromInline
  func section(at rank: Int, _ scope: Scope) -> UInt32? {
    guard rank >= 0, rank < counts.sections(scope) else { return nil }
    return Self.child(of: root, at: rank, until: .section) { $0.sections(scope) }.node.section
  }

  /// The n-th item of all, if there are so many.
  @usableFromInline
  func item(at index: Int, _ scope: Scope) -> UInt32? {
    guard index >= 0, index < counts.items(scope) else { return nil }
    return Self.item(of: root, at: index, scope)
  }

  /// The n-th item of a section, if there are so many.
  @usableFromInline
  func item(inSection section: UInt32, at index: Int, _ scope: Scope) -> UInt32? {
    let node = sectionNode(section)
    guard index >= 0, index < node.counts.items(scope) else { return nil }
    return Self.item(of: node, at: index, scope)
  }

  private static func item(of node: Node, at index: Int, _ scope: Scope) -> UInt32 {
    let (leaf, rest) = child(of: node, at: index, until: .leaf) { $0.items(scope) }
    return leaf.items[leaf.slot(ofItem: rest, scope)]
  }

  /// Goes down to the node of a kind that holds the n-th of what is counted; the rest is the place within it.
  static func child(of node: Node, at index: Int, until kind: Node.Kind, count: (Counts) -> Int) -> (node: Node, rest: Int) {
    var node = node
    var rest = index
    while node.kind != kind {
      var slot = 0
      while case let passed = count(node.children[slot].counts), rest >= passed {
        rest -= passed
        slot += 1
      }
      node = node.children[slot]
    }
    return (node, rest)
  }

  /// Where among all items of a section its n-th shown one stands; the end for the number of shown ones.
  @usableFromInline
  func indexAmongAll(inSection section: UInt32, shownIndex: Int) -> Int {
    let node = sectionNode(section)
    guard shownIndex < node.counts.items(.shown) else { return node.counts.items(.all) }
    if node.counts.items == node.counts.shownItems { return shownIndex }
    return locate(item: Self.item(of: node, at: shownIndex, .shown)).index(.all)
  }

  /// Where among all sections the n-th shown one stands; the end for the number of shown ones.
  @usableFromInline
  func rankAmongAll(shownRank: Int) -> Int {
    guard let section = section(at: shownRank, .shown) else { return counts.sections(.all) }
    return locate(section: section).rank(.all)
  }

  /// Every item of a section in order, hidden ones included.
  @usableFromInline
  func allItems(inSection section: UInt32) -> [UInt32] {
    var items: [UInt32] = []
    sectionNode(section).forEachLeaf { items += $0.items }
    return items
  }
}

extension Node {
  /// The place of an item that the leaf holds.
  func slot(of item: UInt32) -> Int {
    guard let slot = items.firstIndex(of: item) else {
      preconditionFailure("An item's link leads to a leaf that does not hold it.")
    }
    return slot
  }

  func forEachLeaf(_ body: (Node) -> Void) {
    if kind == .leaf { body(self) }
    for child in children { child.forEachLeaf(body) }
  }
}
