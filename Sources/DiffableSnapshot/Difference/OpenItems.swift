/// The shown items of one side of a section that may not match the other side, numbered by offsets.
struct OpenItems {
  private(set) var items: [UInt32] = []
  /// The starts of stretches that are contiguous in both `items` and the section, in order.
  private var stretches: [(offset: Int, index: Int)] = []
  private var end = -1

  /// Adds the shown items of a leaf. `index` is the section index of the first one. Leaves must be
  /// added in order.
  mutating func add(_ leaf: Node, at index: Int) {
    if end != index { stretches.append((items.count, index)) }
    if leaf.counts.shownItems == leaf.counts.items {
      items += leaf.items
    } else {
      var rest = leaf.shown
      while rest != 0 {
        items.append(leaf.items[rest.trailingZeroBitCount])
        rest &= rest - 1
      }
    }
    end = index + leaf.counts.items(.shown)
  }

  /// Returns the section index of the item at an offset, and the number of contiguous items from
  /// there.
  func stretch(fromOffset offset: Int) -> (index: Int, count: Int) {
    let place = lastStretch { $0.offset <= offset }
    let next = place + 1 < stretches.count ? stretches[place + 1].offset : items.count
    return (stretches[place].index + offset - stretches[place].offset, next - offset)
  }

  /// Returns the offset of the open item at a section index.
  func offset(ofIndex index: Int) -> Int {
    let stretch = stretches[lastStretch { $0.index <= index }]
    return stretch.offset + index - stretch.index
  }

  private func lastStretch(where begins: ((offset: Int, index: Int)) -> Bool) -> Int {
    var low = 0
    var high = stretches.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if begins(stretches[middle]) { low = middle } else { high = middle }
    }
    return low
  }
}
