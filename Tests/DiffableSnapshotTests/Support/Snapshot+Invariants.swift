@testable import DiffableSnapshot

extension Snapshot {
  /// Returns a sentence about the first violated invariant, or nil. O(n).
  func checkInvariants() -> String? {
    if let problem = index.brokenInvariant() { return problem }
    let listed = sectionNumbers(.all).flatMap { index.allItems(inSection: $0) }
    if listed.count != numberOfAllItems {
      return "\(listed.count) items are listed, \(numberOfAllItems) counted"
    }
    for number in listed where items.number(of: items[number]) != number {
      return "item \(items[number]) cannot be found by its identifier"
    }
    for number in sectionNumbers(.all) where sections.number(of: sections[number]) != number {
      return "section \(sections[number]) cannot be found by its identifier"
    }
    if items.trie.numbers().count != listed.count { return "there are identifiers that are not listed" }
    let marked = marks.reloadedItems.union(marks.reconfiguredItems)
    if !marked.isSubset(of: listed) { return "there are marks on missing items" }
    if !marks.reloadedSections.isSubset(of: sectionNumbers(.all)) {
      return "there are marks on missing sections"
    }
    return nil
  }
}

extension OrderedIndex {
  /// Returns a sentence about the first violated invariant, or nil. O(n).
  fileprivate func brokenInvariant() -> String? {
    if root.kind != .trunk { return "the root is not a trunk" }
    if links.parents[root.number] != NumberPool.none { return "the root has a parent" }
    var tally = Tally(nodes: 0, items: 0, sections: 0)
    if let problem = check(root, isRoot: true, &tally) { return problem }
    if tally.nodes != links.parents.inUse {
      return "\(tally.nodes) nodes, but \(links.parents.inUse) numbers of nodes in use"
    }
    if tally.items != links.leaves.inUse {
      return "\(tally.items) items, but \(links.leaves.inUse) numbers in use"
    }
    if tally.sections != links.sections.inUse {
      return "\(tally.sections) sections, but \(links.sections.inUse) numbers in use"
    }
    return nil
  }

  private typealias Tally = (nodes: Int, items: Int, sections: Int)

  private func check(_ node: Node, isRoot: Bool, _ tally: inout Tally) -> String? {
    tally.nodes += 1
    if !links.parents.isInUse(node.number) { return "node \(node.number) has a number that is not in use" }
    var fresh = node
    fresh.refreshCounts()
    if fresh.counts != node.counts {
      return "node \(node.number) counts \(node.counts) instead of \(fresh.counts)"
    }
    if node.isOverfull { return "node \(node.number) is overfull" }
    if node.isUnderfull, !isRoot { return "node \(node.number) is underfull" }
    switch node.kind {
    case .leaf: return checkLeaf(node, &tally)
    case .section:
      tally.sections += 1
      if links.sections[node.section] != node.number {
        return "section \(node.section) is linked to another node"
      }
      if node.children.count > 1 { return "section \(node.section) has several children" }
    case .branch where node.children.count < 2: return "branch \(node.number) has one child"
    case .trunk where isRoot && node.height > 1 && node.children.count < 2: return "the root has one child"
    case .branch, .trunk: break
    }
    for child in node.children {
      if links.parents[child.number] != node.number {
        return "node \(child.number) is linked to another parent"
      }
      if let problem = checkLevels(node, child) ?? check(child, isRoot: node.kind == .section, &tally) {
        return problem
      }
    }
    return nil
  }

  private func checkLevels(_ node: Node, _ child: Node) -> String? {
    if node.kind != .section, child.height + 1 != node.height {
      return "node \(child.number) is at a wrong height"
    }
    let fits =
      switch node.kind {
      case .trunk: node.height == 1 ? child.kind == .section : child.kind == .trunk
      case .section: child.kind == .branch || child.kind == .leaf
      case .branch: node.height == 1 ? child.kind == .leaf : child.kind == .branch
      case .leaf: false
      }
    return fits ? nil : "a \(child.kind) stands below a \(node.kind) of height \(node.height)"
  }

  private func checkLeaf(_ leaf: Node, _ tally: inout Tally) -> String? {
    tally.items += leaf.items.count
    if leaf.items.isEmpty { return "leaf \(leaf.number) is empty" }
    if leaf.shown >> UInt64(leaf.items.count) != 0 { return "leaf \(leaf.number) shows more than it holds" }
    for item in leaf.items where !links.leaves.isInUse(item) || links.leaves[item] != leaf.number {
      return "item \(item) is linked to another leaf"
    }
    return nil
  }
}

extension NumberPool {
  /// The number of numbers in use.
  var inUse: Int { (0..<UInt32(limit)).count { isInUse($0) } }
}

extension HashTrie {
  /// Returns all numbers, unordered.
  func numbers() -> [UInt32] { root.numbers }
}

extension HashTrie.Bucket {
  fileprivate var numbers: [UInt32] {
    entries.map { UInt32(truncatingIfNeeded: $0) } + buckets.flatMap(\.numbers)
  }
}
