extension OrderedIndex {
  /// Builds sections with the given numbers of items in O(n). Sections and items get the numbers 0,
  /// 1, 2, … in order.
  @usableFromInline
  init(itemCounts: [Int]) {
    self.init()
    if itemCounts.isEmpty { return }
    var sections: [Node] = []
    sections.reserveCapacity(itemCounts.count)
    for count in itemCounts {
      var section = links.makeNode(.section, height: 0, under: 0)
      section.section = links.sections.allocate(section.number)
      if count > 0 {
        let child = tree(over: leaves(count), .branch)
        links.parents[child.number] = section.number
        section.children = [child]
      }
      section.refreshCounts()
      sections.append(section)
    }
    links.parents.release(root.number)
    let top = tree(over: sections, .trunk)
    root = top.kind == .trunk ? top : parent(of: [top], .trunk, height: 1)
    links.parents[root.number] = NumberPool.none
  }

  private mutating func leaves(_ count: Int) -> [Node] {
    var next = UInt32(links.leaves.limit)
    var owners: [UInt32] = []
    owners.reserveCapacity(count)
    let leaves = Self.parts(of: count, upTo: Node.leafFill).map { size in
      var leaf = links.makeNode(.leaf, height: 0, under: 0)
      leaf.items = Array(next..<next + UInt32(size))
      leaf.shown = (1 << UInt64(size)) - 1
      leaf.refreshCounts()
      next += UInt32(size)
      owners.append(contentsOf: repeatElement(leaf.number, count: size))
      return leaf
    }
    links.leaves.allocate(owners)
    return leaves
  }

  private mutating func tree(over nodes: [Node], _ kind: Node.Kind) -> Node {
    var level = nodes
    var height = 0
    while level.count > 1 {
      height += 1
      var start = 0
      level = Self.parts(of: level.count, upTo: Node.fanFill).map { size in
        defer { start += size }
        return parent(of: Array(level[start..<start + size]), kind, height: height)
      }
    }
    return level[0]
  }

  private mutating func parent(of children: [Node], _ kind: Node.Kind, height: Int) -> Node {
    var node = links.makeNode(kind, height: height, under: 0)
    node.children = children
    links.adopt(node, 0..<children.count)
    node.refreshCounts()
    return node
  }

  /// Divides a count into the fewest parts within a limit, as evenly as possible.
  private static func parts(of count: Int, upTo limit: Int) -> [Int] {
    let parts = (count + limit - 1) / limit
    return (0..<parts).map { (count * ($0 + 1)) / parts - (count * $0) / parts }
  }
}
