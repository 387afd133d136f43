extension OrderedIndex {
  /// Puts the shown items of each section into another order, before its hidden ones. The nodes stay, and
  /// only the items in the leaves change. O(n).
  @usableFromInline
  mutating func reorder(_ order: ([UInt32]) -> [UInt32]) {
    // Most items get another leaf, so all are set at once.
    var owners = links.leaves.values
    root.reorderSections(order, &owners)
    links.leaves.values = owners
  }
}

extension Node {
  fileprivate mutating func reorderSections(_ order: ([UInt32]) -> [UInt32], _ owners: inout [UInt32]) {
    if kind == .section { return reorder(order, &owners) }
    for slot in children.indices { children[slot].reorderSections(order, &owners) }
  }

  private mutating func reorder(_ order: ([UInt32]) -> [UInt32], _ owners: inout [UInt32]) {
    if counts.shownItems == 0 { return }
    var shown: [UInt32] = []
    var hidden: [UInt32] = []
    forEachLeaf { leaf in
      for slot in leaf.items.indices {
        if leaf.isShown(slot) { shown.append(leaf.items[slot]) } else { hidden.append(leaf.items[slot]) }
      }
    }
    let items = order(shown) + hidden
    precondition(items.count == Int(counts.items), "A reordered section keeps its items.")
    var next = 0
    fill(with: items, shownCount: shown.count, from: &next, &owners)
  }

  private mutating func fill(
    with new: [UInt32], shownCount: Int, from next: inout Int, _ owners: inout [UInt32]
  ) {
    if kind == .leaf {
      items = Array(new[next..<next + items.count])
      shown = (1 << UInt64(min(max(shownCount - next, 0), items.count))) - 1
      for item in items { owners[Int(item)] = number }
      next += items.count
    }
    for slot in children.indices {
      children[slot].fill(with: new, shownCount: shownCount, from: &next, &owners)
    }
    refreshCounts()
  }
}
