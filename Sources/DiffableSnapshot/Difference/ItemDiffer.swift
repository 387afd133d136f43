/// Finds what became of the items of two indexes, with as few moves as can be.
///
/// Old items are followed in order with a guess at where each is in the new list: after the one before. Only where
/// the guess fails is an identifier looked up, so lists that differ in k places cost k lookups and one comparison an
/// item, and what the indexes share costs nothing.
struct ItemDiffer {
  private let new: OrderedIndex
  private let matching: Matching
  private var diff: NumberedDiff
  /// The new numbers of items that came from another section.
  private var arrived: Set<UInt32> = []

  static func difference(from old: OrderedIndex, to new: OrderedIndex, _ matching: Matching) -> NumberedDiff {
    var diff = NumberedDiff()
    let sections = SectionDiffer(from: old, to: new, matching, mayMove: nil, into: &diff)
    var differ = ItemDiffer(new: new, matching: matching, diff: diff)
    var targets: [NewSection] = []
    for pair in sections.pairs { targets.append(differ.follow(pair)) }
    for target in targets { differ.addInserts(target) }
    differ.diff.sort()
    return differ.diff
  }

  private init(new: OrderedIndex, matching: Matching, diff: NumberedDiff) {
    self.new = new
    self.matching = matching
    self.diff = diff
  }

  /// Follows the old items of a section, and returns its new side with the items marked that were there before.
  private mutating func follow(_ pair: SectionDiffer.Pair) -> NewSection {
    let alignment = Alignment(pair.old?.node.children.first, pair.new?.node.children.first)
    var target = NewSection(alignment.new, rank: pair.new?.rank ?? 0, section: pair.new?.node.section)
    guard let rank = pair.old?.rank else { return target }
    var runs: [Run] = []
    var guess = Guess()
    var index = 0
    for piece in alignment.old {
      let storage = piece.node.storage
      if piece.isShared, let start = target.shared[storage] {
        if piece.node.counts.shownItems > 0 { runs.extend(old: index, new: start, count: piece.node.counts.items(.shown)) }
      } else if let twin = target.sameItems[storage] {
        followMask(piece.node, twin, Spot(rank: rank, index: index), &target, &runs)
      } else {
        followItems(piece.node, Spot(rank: rank, index: index), &target, &runs, &guess)
      }
      index += piece.node.counts.items(.shown)
    }
    addMoves(runs, rank: rank, target)
    return target
  }

  /// Two leaves with the same items, of which other ones are shown.
  private mutating func followMask(_ leaf: Node, _ twin: NewSection.Leaf, _ start: Spot, _ target: inout NewSection, _ runs: inout [Run]) {
    var spot = start
    var rest = leaf.shown
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      rest &= rest - 1
      if twin.node.isShown(slot) {
        let before = twin.node.shownCount(before: slot)
        target.isKnown[twin.offset + before] = true
        runs.extend(old: spot.index, new: twin.start + before)
      } else {
        diff.deletes.append(.init(item: leaf.items[slot], spot: spot))
      }
      spot.index += 1
    }
  }

  private mutating func followItems(_ leaf: Node, _ start: Spot, _ target: inout NewSection, _ runs: inout [Run], _ guess: inout Guess) {
    var spot = start
    var rest = leaf.shown
    while rest != 0 {
      let item = leaf.items[rest.trailingZeroBitCount]
      rest &= rest - 1
      if let offset = guess.take(where: { $0 < target.items.count && matching.isSameItem(item, target.items[$0]) }) {
        target.isKnown[offset] = true
        runs.extend(old: spot.index, new: target.index(ofOffset: offset))
      } else if let number = matching.newItem(item) {
        followFound(item, number, spot, &target, &runs, &guess)
      } else {
        diff.deletes.append(.init(item: item, spot: spot))
      }
      spot.index += 1
    }
  }

  private mutating func followFound(
    _ item: UInt32, _ number: UInt32, _ spot: Spot, _ target: inout NewSection, _ runs: inout [Run], _ guess: inout Guess
  ) {
    let location = new.locate(item: number)
    if !location.isShown {
      diff.deletes.append(.init(item: item, spot: spot))
    } else if location.section == target.section {
      let index = location.index(.shown)
      let offset = target.offset(ofIndex: index)
      target.isKnown[offset] = true
      runs.extend(old: spot.index, new: index)
      guess.jump(to: offset)
    } else {
      arrived.insert(number)
      diff.moves.append(.init(item: number, from: spot, to: Spot(rank: location.rank(.shown), index: location.index(.shown))))
    }
  }

  private mutating func addMoves(_ runs: [Run], rank: Int, _ target: NewSection) {
    guard let section = target.section else { return }
    for (place, stays) in runs.staying().enumerated() where !stays {
      let run = runs[place]
      var cursor = new.cursor(inSection: section, run.new..<run.new + run.count)
      for offset in 0..<run.count {
        guard let item = cursor.nextItem() else { break }
        let from = Spot(rank: rank, index: run.old + offset)
        diff.moves.append(.init(item: item, from: from, to: Spot(rank: target.rank, index: run.new + offset)))
      }
    }
  }

  private mutating func addInserts(_ target: NewSection) {
    for (offset, item) in target.items.enumerated() where !target.isKnown[offset] {
      if !arrived.isEmpty, arrived.contains(item) { continue }
      diff.inserts.append(.init(item: item, spot: Spot(rank: target.rank, index: target.index(ofOffset: offset))))
    }
  }
}

private typealias Spot = NumberedDiff.Spot

/// Two guesses at the next item: after the last one found, and after the one found before the last jump, since an item
/// that moved alone is followed by those that did not.
private struct Guess {
  private var next = 0
  private var other = 0

  mutating func take(where isRight: (Int) -> Bool) -> Int? {
    if !isRight(next) {
      if other == next || !isRight(other) { return nil }
      swap(&next, &other)
    }
    defer { next += 1 }
    return next
  }

  mutating func jump(to offset: Int) {
    other = next
    next = offset + 1
  }
}
