extension OrderedIndex {
  /// Inserts a new item into a section, before the item at `index` of all its items, and returns
  /// its number.
  @usableFromInline
  mutating func addItem(inSection section: UInt32, at index: Int, isShown: Bool) -> UInt32 {
    let item = links.leaves.allocate(0)
    attach(item, section: section, at: index, isShown: isShown)
    return item
  }

  /// Removes an item and releases its number.
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

  /// Removes a section with all its items.
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

  /// Sets the visibility of the asked items. Copies only the leaves in which it changes.
  @usableFromInline
  mutating func setShown(asking asked: AskedItems, _ isShown: (UInt32) -> Bool) {
    if let changed = root.settingShown(asking: asked, isShown) { root = changed }
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

  /// Returns the child slots from the root to a node. The recursion is as deep as the tree.
  private func path(to number: UInt32) -> [Int] {
    var path: [Int] = []
    path.reserveCapacity(12)
    _ = appendPath(to: number, &path)
    return path
  }

  private func appendPath(to number: UInt32, _ path: inout [Int]) -> Node {
    let parentNumber = links.parents[number]
    if parentNumber == NumberPool.none { return root }
    let parent = appendPath(to: parentNumber, &path)
    let slot = parent.slot(ofChild: number)
    path.append(slot)
    return parent.children[slot]
  }
}

extension Node {
  /// Extends a path to a section down to the leaf for an index among all its items, and returns the
  /// slot there.
  fileprivate func extend(_ path: inout [Int], toItem index: Int) -> Int {
    var node = self
    for slot in path { node = node.children[slot] }
    var rest = index
    while !node.children.isEmpty {
      let slot = node.insertionSlot(&rest) { $0.items }
      path.append(slot)
      node = node.children[slot]
    }
    return rest
  }

  /// Extends an empty path to the lowest trunk for a rank among all sections, and returns the slot
  /// there.
  fileprivate func extend(_ path: inout [Int], toSection rank: Int) -> Int {
    var node = self
    var rest = rank
    while node.height > 1 {
      let slot = node.insertionSlot(&rest) { $0.sections }
      path.append(slot)
      node = node.children[slot]
    }
    return rest
  }

  /// Returns the slot of the child to insert into at an index, which becomes the index in that
  /// child.
  ///
  /// At a boundary, the end of one child is preferred to the start of the next, so that lists that
  /// grow at the end stay full.
  private func insertionSlot(_ index: inout Int, counting count: (NodeCounts) -> UInt32) -> Int {
    var slot = 0
    while slot < children.count - 1, case let passed = Int(count(children[slot].counts)), index > passed {
      index -= passed
      slot += 1
    }
    return slot
  }

  /// Returns the node with the new visibility, or nil if it does not change.
  fileprivate func settingShown(asking asked: AskedItems, _ isShown: (UInt32) -> Bool) -> Node? {
    var changed = self
    if kind == .leaf {
      let asks: UInt64 = asked == .shown ? shown : asked == .hidden ? ~shown : ~0
      for (slot, item) in items.enumerated() where asks >> UInt64(slot) & 1 == 1 {
        changed.setShown(isShown(item), at: slot)
      }
      if changed.shown == shown { return nil }
    } else {
      if asked == .shown && counts.shownItems == 0 || asked == .hidden && counts.shownItems == counts.items { return nil }
      var isChanged = false
      for (slot, child) in children.enumerated() {
        guard let new = child.settingShown(asking: asked, isShown) else { continue }
        changed.children[slot] = new
        isChanged = true
      }
      if !isChanged { return nil }
    }
    changed.refreshCounts()
    return changed
  }
}
