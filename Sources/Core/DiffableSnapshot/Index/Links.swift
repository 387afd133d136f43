/// The parents in the tree, by number. They change only when a node is split or joined.
@usableFromInline
struct Links: Sendable {
  /// The parent of each node. The root has none.
  var parents = NumberPool()
  /// The leaf that holds each item.
  var leaves = NumberPool()
  /// The node of each section.
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
