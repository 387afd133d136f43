/// The order of sections and of items within them, by number. This is the engine of ``Snapshot``,
/// which knows the identifiers.
///
/// Each query and each edit of one item or section costs O(log n) time. An edit allocates O(log n)
/// memory that copies do not share.
@usableFromInline
struct OrderedIndex: Sendable {
  var root: Node
  var links = Links()

  @usableFromInline
  init() {
    root = links.makeNode(.trunk, height: 1, under: NumberPool.none)
  }

  @usableFromInline var counts: NodeCounts { root.counts }

  /// Returns true if both are unchanged copies of one index.
  @usableFromInline
  func isIdentical(to other: OrderedIndex) -> Bool { root.isShared(with: other.root) }
}

/// The position of a section, with and without hidden elements.
@usableFromInline
struct SectionLocation: Sendable {
  /// The counts of the elements before the section.
  @usableFromInline var before = NodeCounts()
  /// The counts of the section itself.
  @usableFromInline var counts = NodeCounts()
  @usableFromInline var isPinned = false

  @usableFromInline var isShown: Bool { counts.shownSections > 0 }
  @usableFromInline func rank(_ scope: CountScope) -> Int { before.sections(scope) }
  @usableFromInline func itemsBefore(_ scope: CountScope) -> Int { before.items(scope) }
  @usableFromInline func itemCount(_ scope: CountScope) -> Int { counts.items(scope) }
}

/// The position of an item, with and without hidden elements.
@usableFromInline
struct ItemLocation: Sendable {
  @usableFromInline var section: UInt32 = 0
  /// The counts of the elements before the item's section.
  var before = NodeCounts()
  /// The counts of the items before it in its section.
  var inside = NodeCounts()
  @usableFromInline var isShown = false

  @usableFromInline func index(_ scope: CountScope) -> Int { inside.items(scope) }
  @usableFromInline func rank(_ scope: CountScope) -> Int { before.sections(scope) }
  @usableFromInline func globalIndex(_ scope: CountScope) -> Int { before.items(scope) + inside.items(scope) }
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

  /// Finds a node by its number and adds up the counts before it. The recursion is as deep as the
  /// tree.
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

  /// Returns the section at a rank, or nil if there is none.
  @usableFromInline
  func section(at rank: Int, _ scope: CountScope) -> UInt32? {
    guard rank >= 0, rank < counts.sections(scope) else { return nil }
    return Self.child(of: root, at: rank, until: .section) { $0.sections(scope) }.node.section
  }

  /// Returns the item at an index of the complete list, or nil if there is none.
  @usableFromInline
  func item(at index: Int, _ scope: CountScope) -> UInt32? {
    guard index >= 0, index < counts.items(scope) else { return nil }
    return Self.item(of: root, at: index, scope)
  }

  /// Returns the item at an index of a section, or nil if there is none.
  @usableFromInline
  func item(inSection section: UInt32, at index: Int, _ scope: CountScope) -> UInt32? {
    let node = sectionNode(section)
    guard index >= 0, index < node.counts.items(scope) else { return nil }
    return Self.item(of: node, at: index, scope)
  }

  private static func item(of node: Node, at index: Int, _ scope: CountScope) -> UInt32 {
    let (leaf, rest) = child(of: node, at: index, until: .leaf) { $0.items(scope) }
    return leaf.items[leaf.slot(ofItem: rest, scope)]
  }

  /// Descends to the node of a kind that contains the n-th counted element. The rest is the index
  /// within that node.
  static func child(of node: Node, at index: Int, until kind: Node.Kind, count: (NodeCounts) -> Int) -> (node: Node, rest: Int) {
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

  /// Converts an index among the shown items of a section to one among all its items. The number of
  /// shown items is converted to the number of all.
  @usableFromInline
  func indexAmongAll(inSection section: UInt32, shownIndex: Int) -> Int {
    let node = sectionNode(section)
    guard shownIndex < node.counts.items(.shown) else { return node.counts.items(.all) }
    if node.counts.items == node.counts.shownItems { return shownIndex }
    return locate(item: Self.item(of: node, at: shownIndex, .shown)).index(.all)
  }

  /// Converts a rank among shown sections to one among all sections. The number of shown sections
  /// is converted to the number of all.
  @usableFromInline
  func rankAmongAll(shownRank: Int) -> Int {
    guard let section = section(at: shownRank, .shown) else { return counts.sections(.all) }
    return locate(section: section).rank(.all)
  }

  /// Returns all items of a section in order, including hidden ones.
  @usableFromInline
  func allItems(inSection section: UInt32) -> [UInt32] {
    var items: [UInt32] = []
    sectionNode(section).forEachLeaf { items += $0.items }
    return items
  }
}

extension Node {
  /// Returns the slot of an item, which the leaf must contain.
  func slot(of item: UInt32) -> Int {
    guard let slot = items.firstIndex(of: item) else {
      preconditionFailure("An item's link leads to a leaf that does not contain it.")
    }
    return slot
  }

  func forEachLeaf(_ body: (Node) -> Void) {
    if kind == .leaf { body(self) }
    for child in children { child.forEachLeaf(body) }
  }
}
