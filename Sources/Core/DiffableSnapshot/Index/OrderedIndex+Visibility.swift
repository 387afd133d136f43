/// The items for which a filter is evaluated.
public enum AskedItems: Sendable {
  /// All items.
  case all
  /// The items that are shown now, for a filter that became narrower.
  case shown
  /// The items that are hidden now, for a filter that became wider.
  case hidden
}

extension OrderedIndex {
  /// Sets the visibility of the asked items. Copies only the leaves in which it changes.
  @usableFromInline
  mutating func setShown(asking asked: AskedItems, _ isShown: (UInt32) -> Bool) {
    change { $0.settingShown(asking: asked) { leaf, asks in leaf.shown(asks, isShown) } }
  }

  @usableFromInline
  mutating func showAll() {
    change { $0.settingShown(asking: .hidden) { _, asks in asks } }
  }

  private mutating func change(_ changed: (UnsafePointer<Node>) -> Node?) {
    if let changed = withUnsafePointer(to: root, changed) { root = changed }
  }
}

extension Node {
  /// Returns the bits of the asked items that are to be shown.
  fileprivate func shown(_ asks: UInt64, _ isShown: (UInt32) -> Bool) -> UInt64 {
    var shown: UInt64 = 0
    var rest = asks
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      if isShown(items[slot]) { shown |= 1 << UInt64(slot) }
      rest &= rest - 1
    }
    return shown
  }
}

extension UnsafePointer<Node> {
  /// Returns the node with the new visibility, or nil if it does not change. `isShown` returns the shown
  /// ones among the asked items of a leaf, one bit for each.
  fileprivate func settingShown(asking asked: AskedItems, _ isShown: (borrowing Node, UInt64) -> UInt64)
    -> Node?
  {
    let counts = pointee.counts
    if asked == .shown && counts.shownItems == 0 || asked == .hidden && counts.shownItems == counts.items {
      return nil
    }
    if pointee.kind == .leaf {
      let old = pointee.shown
      let all: UInt64 = (1 << UInt64(counts.items)) - 1
      let asks = asked == .shown ? old : asked == .hidden ? all & ~old : all
      let new = old & ~asks | isShown(pointee, asks)
      if new == old { return nil }
      var changed = pointee
      changed.shown = new
      changed.counts.shownItems = UInt32(new.nonzeroBitCount)
      return changed
    }
    // Most children change, or none.
    var changed: Node?
    for slot in 0..<pointee.children.count {
      guard let new = child(slot).settingShown(asking: asked, isShown) else { continue }
      if changed == nil { changed = pointee }
      changed?.children[slot] = new
    }
    changed?.refreshCounts()
    return changed
  }
}
