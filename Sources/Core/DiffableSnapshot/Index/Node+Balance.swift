/// Keeps each node between a quarter of its limit and the limit, except roots.
extension Node {
  /// Edits the node at the end of a path of child slots, and rebalances the nodes on the path. `touched` is
  /// the slot of the edit: a node that is filled from one end is split unevenly, so that the other part
  /// stays full.
  mutating func edit(
    _ path: ArraySlice<Int>, touching touched: Int, _ links: inout Links,
    _ change: (inout Node, inout Links) -> Void
  ) {
    if let slot = path.first {
      let rest = path.dropFirst()
      children[slot].edit(rest, touching: touched, &links, change)
      rebalance(slot, touched: rest.first ?? touched, &links)
    } else {
      change(&self, &links)
    }
    refreshCounts()
  }

  private mutating func rebalance(_ slot: Int, touched: Int, _ links: inout Links) {
    if kind == .section {
      rebalanceOnlyChild(touched: touched, &links)
    } else if children[slot].isOverfull {
      let right = children[slot].split(touched: touched, under: number, &links)
      children.insert(right, at: slot + 1)
    } else if children[slot].isUnderfull, children.count > 1 {
      join(slot > 0 ? slot - 1 : 0, &links)
    }
  }

  private mutating func rebalanceOnlyChild(touched: Int, _ links: inout Links) {
    if children[0].isOverfull {
      children[0].growUp(touched: touched, &links)
    } else if children[0].load == 0 {
      links.parents.release(children[0].number)
      children = []
    } else {
      children[0].shrink(&links)
    }
  }

  /// Splits a node without siblings: it becomes the first child of a new node in its place.
  mutating func growUp(touched: Int, _ links: inout Links) {
    var top = links.makeNode(
      kind == .leaf ? .branch : kind, height: Int(height) + 1, under: links.parents[number])
    let right = split(touched: touched, under: top.number, &links)
    top.children = [self, right]
    links.parents[number] = top.number
    top.refreshCounts()
    self = top
  }

  /// Replaces a branch or trunk with a single child by that child.
  mutating func shrink(_ links: inout Links) {
    while children.count == 1, kind == .branch || (kind == .trunk && height > 1) {
      let parent = links.parents[number]
      links.parents.release(number)
      self = children[0]
      links.parents[number] = parent
    }
  }

  /// Removes the right part of an overfull node and returns it.
  private mutating func split(touched: Int, under parent: UInt32, _ links: inout Links) -> Node {
    let load = self.load
    let cut = touched >= load - 2 ? load * 3 / 4 : touched <= 1 ? load / 4 : load / 2
    var right = links.makeNode(kind, height: Int(height), under: parent)
    if kind == .leaf {
      right.items = Array(items[cut...])
      right.shown = shown >> UInt64(cut)
      items = Array(items[..<cut])
      shown &= (1 << UInt64(cut)) - 1
    } else {
      right.children = Array(children[cut...])
      children = Array(children[..<cut])
    }
    links.adopt(right, 0..<right.load)
    refreshCounts()
    right.refreshCounts()
    return right
  }

  /// Joins a child with its right neighbour. If the result would be nearly full, balances the two instead.
  private mutating func join(_ slot: Int, _ links: inout Links) {
    var left = children[slot]
    var right = children[slot + 1]
    let total = left.load + right.load
    if total > (left.kind == .leaf ? Node.leafFill : Node.fanFill) {
      Node.balance(&left, &right, &links)
      children[slot] = left
      children[slot + 1] = right
      return
    }
    // The larger node keeps its number, so that fewer links change.
    let keepsLeft = left.load >= right.load
    let start = keepsLeft ? left.load : 0
    let count = keepsLeft ? right.load : left.load
    var joined = keepsLeft ? left : right
    joined.items = left.items + right.items
    joined.shown = left.shown | right.shown << UInt64(left.kind == .leaf ? left.load : 0)
    joined.children = left.children + right.children
    links.adopt(joined, start..<start + count)
    joined.refreshCounts()
    links.parents.release(keepsLeft ? right.number : left.number)
    children[slot] = joined
    children.remove(at: slot + 1)
  }

  private static func balance(_ left: inout Node, _ right: inout Node, _ links: inout Links) {
    let old = left.load
    let cut = (old + right.load) / 2
    if left.kind == .leaf {
      let items = left.items + right.items
      // Two leaves together can hold more than 64 items, which do not fit into one bit mask.
      let shown = (0..<items.count).map { $0 < old ? left.isShown($0) : right.isShown($0 - old) }
      left.items = Array(items[..<cut])
      right.items = Array(items[cut...])
      left.shown = Node.bits(shown[..<cut])
      right.shown = Node.bits(shown[cut...])
    } else {
      let children = left.children + right.children
      left.children = Array(children[..<cut])
      right.children = Array(children[cut...])
    }
    if cut > old {
      links.adopt(left, old..<cut)
    } else {
      links.adopt(right, 0..<old - cut)
    }
    left.refreshCounts()
    right.refreshCounts()
  }

  private static func bits(_ shown: ArraySlice<Bool>) -> UInt64 {
    shown.reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
  }
}
