/// The ways up the tree, by number: they change only where a node is split or joined.
@usableFromInline
struct Links: Sendable {
  /// The parent of each node; of the root, none.
  var parents = NumberPool()
  /// The leaf that holds each item.
  var leaves = NumberPool()
  /// The node of each section.
  var sections = NumberPool()

  mutating func makeNode(_ kind: Node.Kind, height: Int, under parent: UInt32) -> Node {
    Node(number: parents.take(parent), kind: kind, height: height)
  }

  /// Makes a node the parent of what it holds in the places given.
  mutating func adopt(_ node: Node, _ places: Range<Int>) {
    if node.kind == .leaf {
      for item in node.items[places] { leaves[item] = node.number }
    } else {
      for child in node.children[places] { parents[child.number] = node.number }
    }
  }

  /// Gives back the numbers of a node and of all below it, items and sections included.
  mutating func release(_ node: Node) {
    for item in node.items { leaves.giveBack(item) }
    for child in node.children { release(child) }
    if node.kind == .section { sections.giveBack(node.section) }
    parents.giveBack(node.number)
  }
}
