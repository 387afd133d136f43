/// The shown items of one side of a section that the other side may not have in the same place, numbered by offsets.
struct OpenItems {
  private(set) var items: [UInt32] = []
  /// Where stretches of `items` begin that are stretches of the section, both in order.
  private var stretches: [(offset: Int, index: Int)] = []
  private var end = -1

  /// Adds the shown items of a leaf of which the first has an index in the section. Leaves come in order.
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

  /// The index in the section of an item, and how many from there on follow each other there too.
  func stretch(fromOffset offset: Int) -> (index: Int, count: Int) {
    let place = lastStretch { $0.offset <= offset }
    let next = place + 1 < stretches.count ? stretches[place + 1].offset : items.count
    return (stretches[place].index + offset - stretches[place].offset, next - offset)
  }

  /// The offset of an item at an index in the section that is one of these.
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
