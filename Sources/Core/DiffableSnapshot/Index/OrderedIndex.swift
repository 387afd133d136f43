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

  @usableFromInline
  func isIdentical(to other: OrderedIndex) -> Bool { root.isShared(with: other.root) }
}

/// The position of an item, with and without hidden elements.
@usableFromInline
struct ItemLocation {
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
  /// Returns the counts of the elements before a section, and its own.
  @usableFromInline
  func locate(section: UInt32) -> (before: NodeCounts, counts: NodeCounts, isPinned: Bool) {
    withNode(links.sections[section]) { node, trail in
      (trail.before, node.pointee.counts, node.pointee.isPinned)
    }
  }

  @usableFromInline
  func locate(item: UInt32) -> ItemLocation {
    withNode(links.leaves[item]) { node, trail in
      let leaf = node.pointee
      var location = trail
      let slot = leaf.slot(of: item)
      location.isShown = leaf.isShown(slot)
      location.inside.items += UInt32(slot)
      location.inside.shownItems += UInt32(leaf.shownCount(before: slot))
      return location
    }
  }

  func sectionNode(_ section: UInt32) -> Node {
    withNode(links.sections[section]) { node, _ in node.pointee }
  }

  /// Calls `body` with the node of a number and the counts before it.
  private func withNode<Result>(_ number: UInt32, _ body: (UnsafePointer<Node>, ItemLocation) -> Result)
    -> Result
  {
    let path = NodePath(from: number, links)
    return withUnsafePointer(to: root) { root in
      var node = root
      var trail = ItemLocation()
      for level in (0..<path.count - 1).reversed() {
        let isTrunk = node.pointee.kind == .trunk
        if node.pointee.kind == .section { trail.section = node.pointee.section }
        var slot = 0
        while case let counts = node.child(slot).pointee.counts,
          node.child(slot).pointee.number != path[level]
        {
          if isTrunk { trail.before += counts } else { trail.inside += counts }
          slot += 1
        }
        node = node.child(slot)
      }
      return body(node, trail)
    }
  }

  @usableFromInline
  func section(at rank: Int, _ scope: CountScope) -> UInt32? {
    guard rank >= 0, rank < counts.sections(scope) else { return nil }
    return Self.child(of: root, at: rank, until: .section) { $0.sections(scope) }.node.section
  }

  @usableFromInline
  func item(at index: Int, _ scope: CountScope) -> UInt32? {
    guard index >= 0, index < counts.items(scope) else { return nil }
    return Self.item(of: root, at: index, scope)
  }

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
  static func child(of node: Node, at index: Int, until kind: Node.Kind, count: (NodeCounts) -> Int) -> (
    node: Node, rest: Int
  ) {
    withUnsafePointer(to: node) { top in
      var node = top
      var rest = index
      while node.pointee.kind != kind {
        var slot = 0
        while case let passed = count(node.child(slot).pointee.counts), rest >= passed {
          rest -= passed
          slot += 1
        }
        node = node.child(slot)
      }
      return (node.pointee, rest)
    }
  }

  /// Converts an index among the shown items of a section to one among all its items; the end to the end.
  @usableFromInline
  func indexAmongAll(inSection section: UInt32, shownIndex: Int) -> Int {
    let node = sectionNode(section)
    guard shownIndex < node.counts.items(.shown) else { return node.counts.items(.all) }
    if node.counts.items == node.counts.shownItems { return shownIndex }
    return locate(item: Self.item(of: node, at: shownIndex, .shown)).index(.all)
  }

  /// Converts a rank among shown sections to one among all sections; the end to the end.
  @usableFromInline
  func rankAmongAll(shownRank: Int) -> Int {
    guard let section = section(at: shownRank, .shown) else { return counts.sections(.all) }
    return locate(section: section).before.sections(.all)
  }

  /// One more than the highest number that was assigned to an item.
  @usableFromInline var itemLimit: Int { links.leaves.limit }

  /// One more than the highest number that was assigned to a section.
  var sectionLimit: Int { links.sections.limit }

  @usableFromInline
  func forEachItem(_ scope: CountScope, _ body: (UInt32) -> Void) {
    root.forEachLeaf { leaf in
      if scope == .all { leaf.items.forEach(body) } else { leaf.forEachShownItem(body) }
    }
  }

  /// Calls `body` with the number, counts and pin of each section in order. O(s) for s sections.
  @usableFromInline
  func forEachSection(_ scope: CountScope, _ body: (UInt32, NodeCounts, _ isPinned: Bool) -> Void) {
    withUnsafePointer(to: root) { root in
      root.forEachSection { section in
        if scope == .shown, section.pointee.counts.shownSections == 0 { return }
        body(section.pointee.section, section.pointee.counts, section.pointee.isPinned)
      }
    }
  }

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

  func forEachShownItem(_ body: (UInt32) -> Void) {
    if counts.shownItems == counts.items { return items.forEach(body) }
    var rest = shown
    while rest != 0 {
      body(items[rest.trailingZeroBitCount])
      rest &= rest - 1
    }
  }

  func forEachLeaf(_ body: (Node) -> Void) {
    if kind == .leaf { body(self) }
    for child in children { child.forEachLeaf(body) }
  }
}

/// The parents in the tree, by number. They change only when a node is split or joined.
@usableFromInline
struct Links: Sendable {
  /// The parent of each node. The root has none.
  var parents = NumberPool()
  var leaves = NumberPool()
  var sections = NumberPool()

  mutating func makeNode(_ kind: Node.Kind, height: Int, under parent: UInt32) -> Node {
    Node(number: parents.allocate(parent), kind: kind, height: height)
  }

  /// Makes a node the parent of its items or children in some slots.
  mutating func adopt(_ node: Node, _ slots: Range<Int>) {
    if node.kind == .leaf {
      for item in node.items[slots] { leaves[item] = node.number }
    } else {
      for child in node.children[slots] { parents[child.number] = node.number }
    }
  }

  /// Releases the numbers of a node and all its descendants, including items and sections.
  mutating func release(_ node: Node) {
    for item in node.items { leaves.release(item) }
    for child in node.children { release(child) }
    if node.kind == .section { sections.release(node.section) }
    parents.release(node.number)
  }
}

/// The numbers of the nodes from one node up to the root.
struct NodePath {
  /// One number per level. 32 levels are more than a tree of 2^31 items in as many sections has.
  private var numbers: InlineArray<32, UInt32> = .init(repeating: 0)
  private(set) var count = 0

  init(from number: UInt32, _ links: Links) {
    var next = number
    while next != NumberPool.none {
      numbers[count] = next
      count += 1
      next = links.parents[next]
    }
  }

  /// The number of the node at a level above the first one.
  subscript(level: Int) -> UInt32 { numbers[level] }
}

/// Descending without copies. A copy of a node retains its arrays, which costs more than reading it.
extension UnsafePointer<Node> {
  func child(_ slot: Int) -> UnsafePointer<Node> { pointee.children.address(of: slot) }

  /// Returns the slot of the child with a number. The child must exist.
  func slot(ofChild number: UInt32) -> Int {
    for slot in 0..<pointee.children.count where child(slot).pointee.number == number { return slot }
    preconditionFailure("A node's link leads to a parent that does not contain it.")
  }

  /// Returns the slot of the child to insert into at an index, which becomes the index in that child. At a
  /// boundary, the end of one child is preferred to the start of the next, so that lists that grow at the
  /// end stay full.
  func insertionSlot(_ index: inout Int, counting count: (NodeCounts) -> UInt32) -> Int {
    var slot = 0
    while slot < pointee.children.count - 1, case let passed = Int(count(child(slot).pointee.counts)),
      index > passed
    {
      index -= passed
      slot += 1
    }
    return slot
  }

  func forEachSection(_ body: (UnsafePointer<Node>) -> Void) {
    if pointee.kind == .section { return body(self) }
    for slot in 0..<pointee.children.count { child(slot).forEachSection(body) }
  }
}
