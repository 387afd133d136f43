/// The new side of a section: the shown items that the old side does not share, numbered by offsets, and where they are.
struct NewSection {
  struct Leaf {
    let node: Node
    /// Of its first shown item, in the section.
    let start: Int
    /// Of its first shown item, in `items`.
    let offset: Int
  }

  let rank: Int
  let section: UInt32?
  private(set) var items: [UInt32] = []
  /// For each of `items`, whether it was in the section before.
  var isKnown: [Bool]
  /// By storage, where pieces that the old side shares begin.
  private(set) var shared: [UInt: Int] = [:]
  /// By storage, leaves whose items the old side may share, not what of them is shown.
  private(set) var sameItems: [UInt: Leaf] = [:]
  /// Where stretches of `items` begin that are stretches of the section, both in order.
  private var stretches: [(offset: Int, index: Int)] = []

  init(_ pieces: [Alignment.Piece], rank: Int, section: UInt32?) {
    self.rank = rank
    self.section = section
    var index = 0
    var isStretch = false
    for piece in pieces {
      let node = piece.node
      if piece.isShared {
        shared[node.storage] = index
        isStretch = isStretch && node.counts.shownItems == 0
      } else {
        if !isStretch { stretches.append((items.count, index)) }
        isStretch = true
        sameItems[node.storage] = Leaf(node: node, start: index, offset: items.count)
        var rest = node.shown
        while rest != 0 {
          items.append(node.items[rest.trailingZeroBitCount])
          rest &= rest - 1
        }
      }
      index += node.counts.items(.shown)
    }
    isKnown = [Bool](repeating: false, count: items.count)
  }

  func index(ofOffset offset: Int) -> Int {
    let stretch = stretches[lastStretch { $0.offset <= offset }]
    return stretch.index + offset - stretch.offset
  }

  /// The offset of an item at an index that no shared piece holds.
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
