/// Gives the items of a newer tree the visibility that they have in a view of an older tree.
///
/// Parts that the edits between the two trees did not reach are those of the view, so its nodes are
/// used as they are. Each other node is made of the newer one and the visibility of its items. The
/// arrays of item numbers are always those of the newer tree, so all views of it share them.
private struct VisibilityTransfer {
  /// The older tree, in which every item is shown.
  let base: OrderedIndex
  /// The older tree with some items hidden.
  let view: OrderedIndex
  let roots: Pair
  /// True to show the items that the older tree does not have.
  let showsNew: Bool

  /// One node of the older tree and of the view, which have the same place and the same items.
  struct Pair {
    let base: UnsafePointer<Node>
    let view: UnsafePointer<Node>
  }

  /// Returns `new` with the visibility of the view. `pair` has the older nodes with its number, if any.
  func node(_ new: UnsafePointer<Node>, _ pair: Pair?) -> Node {
    if let pair, new.pointee.isShared(with: pair.base.pointee) { return pair.view.pointee }
    var node = new.pointee
    if node.kind == .leaf {
      node.shown = pair.map { shownItems(of: new, $0.view) } ?? shownItems(of: new)
      node.counts.shownItems = UInt32(node.shown.nonzeroBitCount)
      return node
    }
    node.children = pair.flatMap { edited($0, new) } ?? children(of: new, pair)
    node.refreshCounts()
    // If nothing is hidden, the node of the newer tree is used, which other views share.
    return node.counts == new.pointee.counts ? new.pointee : node
  }

  /// Returns one bit for each item of a leaf. Most items are in the older leaf, in the same order.
  private func shownItems(of new: UnsafePointer<Node>, _ old: UnsafePointer<Node>) -> UInt64 {
    let oldShown = old.pointee.shown
    return old.pointee.items.withUnsafeBufferPointer { oldItems in
      new.pointee.items.withUnsafeBufferPointer { items in
        var shown: UInt64 = 0
        var next = 0
        for slot in items.indices {
          let isNext = next < oldItems.count && oldItems[next] == items[slot]
          let isShown: Bool
          if let place = isNext ? next : oldItems.firstIndex(of: items[slot]) {
            isShown = oldShown >> UInt64(place) & 1 == 1
            next = place + 1
          } else {
            isShown = self.isShown(items[slot])
          }
          if isShown { shown |= 1 << UInt64(slot) }
        }
        return shown
      }
    }
  }

  private func shownItems(of new: UnsafePointer<Node>) -> UInt64 {
    var shown: UInt64 = 0
    for (slot, item) in new.pointee.items.enumerated() where isShown(item) { shown |= 1 << UInt64(slot) }
    return shown
  }

  private func isShown(_ item: UInt32) -> Bool {
    view.links.leaves.isInUse(item) ? view.locate(item: item).isShown : showsNew
  }

  /// Returns the children of the view with those replaced that differ in the newer tree; nil if
  /// children appeared or disappeared.
  private func edited(_ pair: Pair, _ new: UnsafePointer<Node>) -> [Node]? {
    let count = new.pointee.children.count
    guard count == pair.base.pointee.children.count else { return nil }
    for slot in 0..<count where !pair.child(slot).matches(new.child(slot)) { return nil }
    var children = pair.view.pointee.children
    for slot in 0..<count where !new.child(slot).pointee.isShared(with: pair.base.child(slot).pointee) {
      children[slot] = node(new.child(slot), pair.child(slot))
    }
    return children
  }

  private func children(of new: UnsafePointer<Node>, _ pair: Pair?) -> [Node] {
    (0..<new.pointee.children.count).map { slot in
      node(new.child(slot), older(new.child(slot), below: pair, near: slot))
    }
  }

  /// Returns the older nodes with the number of a newer one: mostly near its slot, otherwise anywhere.
  private func older(_ new: UnsafePointer<Node>, below pair: Pair?, near slot: Int) -> Pair? {
    if let pair {
      for slot in [slot, slot - 1, slot + 1] where pair.base.pointee.children.indices.contains(slot) {
        if pair.child(slot).matches(new) { return pair.child(slot) }
      }
    }
    guard base.links.parents.isInUse(new.pointee.number) else { return nil }
    let older = base.path(to: new.pointee.number).reduce(roots) { $0.child($1) }
    return older.matches(new) ? older : nil
  }
}

extension VisibilityTransfer.Pair {
  fileprivate func child(_ slot: Int) -> Self { Self(base: base.child(slot), view: view.child(slot)) }

  /// Returns true if a newer node is the same node, though its content may be another.
  fileprivate func matches(_ new: UnsafePointer<Node>) -> Bool {
    base.pointee.number == new.pointee.number && base.pointee.kind == new.pointee.kind
  }
}

extension OrderedIndex {
  /// Returns `new` with the visibility that its items have in this index, which was made of `base` by
  /// hiding items; `new` was made of `base` by other edits. All items of `base` and `new` are shown. With
  /// `showsNew`, so are those that only `new` has.
  @usableFromInline
  func rebased(from base: OrderedIndex, onto new: OrderedIndex, showsNew: Bool) -> OrderedIndex {
    // Nothing is hidden.
    if showsNew, root.isShared(with: base.root) { return new }
    var result = new
    result.root = withUnsafePointer(to: base.root) { baseRoot in
      withUnsafePointer(to: root) { viewRoot in
        withUnsafePointer(to: new.root) { newRoot in
          let roots = VisibilityTransfer.Pair(base: baseRoot, view: viewRoot)
          return VisibilityTransfer(base: base, view: self, roots: roots, showsNew: showsNew).node(
            newRoot, roots)
        }
      }
    }
    return result
  }
}
