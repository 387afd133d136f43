extension OrderedIndex {
  /// Inserts a new item before the one at `index` of all items of a section, and returns its number.
  @usableFromInline
  mutating func addItem(inSection section: UInt32, at index: Int, isShown: Bool) -> UInt32 {
    let item = links.leaves.allocate(0)
    attach(item, section: section, at: index, isShown: isShown)
    return item
  }

  @usableFromInline
  mutating func removeItem(_ item: UInt32) {
    detach(item)
    links.leaves.release(item)
  }

  /// Moves an item to an index of the list without it.
  @usableFromInline
  mutating func moveItem(_ item: UInt32, toSection section: UInt32, at index: Int) {
    let isShown = detach(item)
    attach(item, section: section, at: index, isShown: isShown)
  }

  /// Inserts an empty section before the one at `rank` of all sections, and returns its number.
  @usableFromInline
  mutating func addSection(at rank: Int) -> UInt32 {
    var node = links.makeNode(.section, height: 0, under: 0)
    node.section = links.sections.allocate(node.number)
    node.refreshCounts()
    attach(node, at: rank)
    return node.section
  }

  @usableFromInline
  mutating func removeSection(_ section: UInt32) {
    links.release(detach(section: section))
  }

  /// Moves a section with its items to a rank among the others.
  @usableFromInline
  mutating func moveSection(_ section: UInt32, to rank: Int) {
    attach(detach(section: section), at: rank)
  }

  @usableFromInline
  mutating func setShown(_ isShown: Bool, item: UInt32) {
    let path = self.path(to: links.leaves[item])
    root.edit(path[...], touching: 0, &links) { leaf, _ in
      let slot = leaf.slot(of: item)
      leaf.setShown(isShown, at: slot)
    }
  }

  @usableFromInline
  mutating func setPinned(_ isPinned: Bool, section: UInt32) {
    let path = self.path(to: links.sections[section])
    root.edit(path[...], touching: 0, &links) { node, _ in node.isPinned = isPinned }
  }

  private mutating func attach(_ item: UInt32, section: UInt32, at index: Int, isShown: Bool) {
    var path = self.path(to: links.sections[section])
    let slot = root.extend(&path, toItem: index)
    root.edit(path[...], touching: slot, &links) { node, links in
      if node.kind == .leaf {
        node.insertItem(item, at: slot, isShown: isShown)
        links.leaves[item] = node.number
      } else {
        var leaf = links.makeNode(.leaf, height: 0, under: node.number)
        leaf.insertItem(item, at: 0, isShown: isShown)
        leaf.refreshCounts()
        links.leaves[item] = leaf.number
        node.children = [leaf]
      }
    }
  }

  @discardableResult
  private mutating func detach(_ item: UInt32) -> Bool {
    let path = self.path(to: links.leaves[item])
    var wasShown = false
    root.edit(path[...], touching: 0, &links) { leaf, _ in
      let slot = leaf.slot(of: item)
      wasShown = leaf.isShown(slot)
      leaf.removeItem(at: slot)
    }
    return wasShown
  }

  private mutating func attach(_ section: Node, at rank: Int) {
    var path: [Int] = []
    let slot = root.extend(&path, toSection: rank)
    root.edit(path[...], touching: slot, &links) { trunk, links in
      trunk.children.insert(section, at: slot)
      links.parents[section.number] = trunk.number
    }
    if root.isOverfull { root.growUp(touched: path.first ?? slot, &links) }
  }

  private mutating func detach(section: UInt32) -> Node {
    var path = self.path(to: links.sections[section])
    let slot = path.removeLast()
    var detached: Node?
    root.edit(path[...], touching: 0, &links) { trunk, _ in detached = trunk.children.remove(at: slot) }
    root.shrink(&links)
    guard let detached else { preconditionFailure("The edit was not performed.") }
    return detached
  }

  func path(to number: UInt32) -> [Int] {
    let numbers = NodePath(from: number, links)
    var path: [Int] = []
    path.reserveCapacity(12)
    withUnsafePointer(to: root) { root in
      var node = root
      for level in (0..<numbers.count - 1).reversed() {
        let slot = node.slot(ofChild: numbers[level])
        path.append(slot)
        node = node.child(slot)
      }
    }
    return path
  }
}

extension Node {
  /// Extends a section's path down to the leaf for an index among all its items. Returns the slot there.
  fileprivate func extend(_ path: inout [Int], toItem index: Int) -> Int {
    withUnsafePointer(to: self) { top in
      var node = top
      for slot in path { node = node.child(slot) }
      var rest = index
      while !node.pointee.children.isEmpty {
        let slot = node.insertionSlot(&rest) { $0.items }
        path.append(slot)
        node = node.child(slot)
      }
      return rest
    }
  }

  /// Extends an empty path to the lowest trunk for a rank among all sections. Returns the slot there.
  fileprivate func extend(_ path: inout [Int], toSection rank: Int) -> Int {
    withUnsafePointer(to: self) { top in
      var node = top
      var rest = rank
      while node.pointee.height > 1 {
        let slot = node.insertionSlot(&rest) { $0.sections }
        path.append(slot)
        node = node.child(slot)
      }
      return rest
    }
  }
}
