/// Computes the difference between the items of two indexes, with the fewest possible moves.
///
/// Shared nodes cost nothing. The rest of a section is compared position by position. Where the
/// sides differ, a few items on either side are compared first, then identifiers are looked up. So
/// lists of n items that differ in k places cost n comparisons and k lookups.
struct ItemDiffer {
  private let new: OrderedIndex
  private let matching: Matching
  private var diff: NumberedDiff
  /// The new numbers of items that moved in from another section.
  private var arrived: Set<UInt32> = []
  private var targets: [Target] = []

  /// The new side of a section. Without open items if the section was deleted.
  private struct Target {
    var section = NumberPool.none
    var rank = 0
    var open = OpenItems()
    /// The offsets of open items that the section already had.
    var known: [Range<Int>] = []
  }

  static func difference(from old: OrderedIndex, to new: OrderedIndex, _ matching: Matching) -> NumberedDiff {
    var diff = NumberedDiff()
    let sections = SectionDiffer(from: old, to: new, matching, mayMove: nil, into: &diff)
    var differ = ItemDiffer(new: new, matching: matching, diff: diff)
    for pair in sections.pairs { differ.compare(pair) }
    differ.addInserts()
    differ.diff.sort()
    return differ.diff
  }

  private init(new: OrderedIndex, matching: Matching, diff: NumberedDiff) {
    self.new = new
    self.matching = matching
    self.diff = diff
  }

  /// Compares the two sides of a section.
  private mutating func compare(_ pair: SectionDiffer.SectionSides) {
    let alignment = Alignment(pair.old?.node.children.first, pair.new?.node.children.first)
    var target = Target()
    if let new = pair.new { target = Target(section: new.node.section, rank: new.rank) }
    var starts: [Int] = []
    var shared: [Int] = []
    var index = alignment.before.items(.shown)
    for place in alignment.new.indices {
      starts.append(index)
      if alignment.new[place].isShared {
        shared.append(index)
      } else if !alignment.hasSameItems(place) {
        target.open.add(alignment.new[place].node, at: index)
      }
      index += alignment.new[place].node.counts.items(.shown)
    }

    var runs: [Run] = []
    var left = OpenItems()
    let rank = pair.old?.rank ?? 0
    var sharedUsed = 0
    index = alignment.before.items(.shown)
    for place in alignment.old.indices {
      let count = alignment.old[place].node.counts.items(.shown)
      if alignment.old[place].isShared {
        if count > 0 { runs.extend(old: index, new: shared[sharedUsed], count: count) }
        sharedUsed += 1
      } else if alignment.hasSameItems(place) {
        let spots = (Spot(rank: rank, index: index), Spot(rank: target.rank, index: starts[place]))
        compareVisibility(alignment.old[place].node, alignment.new[place].node, spots, &runs)
      } else {
        left.add(alignment.old[place].node, at: index)
      }
      index += count
    }
    match(left, rank: rank, &target, &runs)
    // Shared runs and skipped items were not found in order.
    runs.sortUnlessSorted { $0.old < $1.old }
    addMoves(runs, from: rank, target)
    if !target.open.items.isEmpty { targets.append(target) }
  }

  /// Compares two leaves with the same items but different visibility.
  private mutating func compareVisibility(_ old: Node, _ new: Node, _ starts: (old: Spot, new: Spot), _ runs: inout [Run]) {
    var (from, to) = starts
    var rest = old.shown | new.shown
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      rest &= rest - 1
      switch (old.isShown(slot), new.isShown(slot)) {
      case (true, true): runs.extend(old: from.index, new: to.index)
      case (true, false): diff.deletes.append(.init(item: old.items[slot], spot: from))
      case (false, _): diff.inserts.append(.init(item: new.items[slot], spot: to))
      }
      if old.isShown(slot) { from.advance() }
      if new.isShown(slot) { to.advance() }
    }
  }

  /// Finds each old item in the new list.
  private mutating func match(_ left: OpenItems, rank: Int, _ target: inout Target, _ runs: inout [Run]) {
    let old = left.items
    let items = target.open.items
    var skipped: [Int] = []
    var offset = 0
    var guess = 0
    var other = 0
    while offset < old.count {
      let count = matching.commonCount(old, offset, items, guess)
      if count > 0 {
        Self.add(count, offset, guess, left, &target, &runs)
        offset += count
        guess += count
      } else if let (oldStep, newStep) = near(old, offset, items, guess) {
        skipped += offset..<offset + oldStep
        offset += oldStep
        guess += newStep
      } else if other != guess, matching.commonCount(old, offset, items, other) > 0 {
        // After an item that moved alone, continue where the others are.
        swap(&guess, &other)
      } else {
        if let found = find(old[offset], left, offset, rank, target, &runs) {
          other = guess
          guess = found
        } else {
          offset += 1
        }
      }
    }
    for offset in skipped {
      if let found = find(old[offset], left, offset, rank, target, &runs) { Self.add(1, offset, found, left, &target, &runs) }
    }
  }

  /// Returns how many items to skip on either side until both match again, if that is near.
  private func near(_ old: [UInt32], _ offset: Int, _ items: [UInt32], _ guess: Int) -> (old: Int, new: Int)? {
    for step in 1...3 {
      if guess + step < items.count, matching.isSameItem(old[offset], items[guess + step]) { return (0, step) }
      if guess < items.count, offset + step < old.count, matching.isSameItem(old[offset + step], items[guess]) { return (step, 0) }
    }
    return nil
  }

  /// Adds a run of matching items, split where either side has a gap.
  private static func add(_ count: Int, _ offset: Int, _ guess: Int, _ left: OpenItems, _ target: inout Target, _ runs: inout [Run]) {
    var done = 0
    while done < count {
      let from = left.stretch(fromOffset: offset + done)
      let to = target.open.stretch(fromOffset: guess + done)
      let length = min(count - done, from.count, to.count)
      runs.extend(old: from.index, new: to.index, count: length)
      done += length
    }
    target.known.append(guess..<guess + count)
  }

  /// Returns the offset of an old item on the new side of its section. If it is elsewhere or
  /// deleted, records that instead and returns nil.
  private mutating func find(_ item: UInt32, _ left: OpenItems, _ offset: Int, _ rank: Int, _ target: Target, _ runs: inout [Run]) -> Int? {
    let spot = Spot(rank: rank, index: left.stretch(fromOffset: offset).index)
    guard let number = matching.newItem(item), case let location = new.locate(item: number), location.isShown else {
      diff.deletes.append(.init(item: item, spot: spot))
      return nil
    }
    if location.section == target.section { return target.open.offset(ofIndex: location.index(.shown)) }
    arrived.insert(number)
    diff.moves.append(.init(item: number, from: spot, to: location.spot))
    return nil
  }

  /// Records the items of runs that do not stay as moves.
  private mutating func addMoves(_ runs: [Run], from rank: Int, _ target: Target) {
    for (place, stays) in runs.staying().enumerated() where !stays {
      let run = runs[place]
      var cursor = new.cursor(inSection: target.section, run.new..<run.new + run.count)
      var from = Spot(rank: rank, index: run.old)
      var to = Spot(rank: target.rank, index: run.new)
      while let item = cursor.nextItem() {
        diff.moves.append(.init(item: item, from: from, to: to))
        from.advance()
        to.advance()
      }
    }
  }

  /// Records the open items that no section had before as inserts.
  private mutating func addInserts() {
    for target in targets {
      var next = 0
      for known in target.known.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        addInserts(next..<known.lowerBound, target)
        next = known.upperBound
      }
      addInserts(next..<target.open.items.count, target)
    }
  }

  private mutating func addInserts(_ offsets: Range<Int>, _ target: Target) {
    for offset in offsets {
      let item = target.open.items[offset]
      if !arrived.isEmpty, arrived.contains(item) { continue }
      let spot = Spot(rank: target.rank, index: target.open.stretch(fromOffset: offset).index)
      diff.inserts.append(.init(item: item, spot: spot))
    }
  }
}

private typealias Spot = NumberedDiff.Spot

extension Alignment {
  /// Returns true if both sides have a leaf with the same items but different visibility at this
  /// place.
  fileprivate func hasSameItems(_ place: Int) -> Bool {
    place < min(old.count, new.count) && !old[place].isShared && !new[place].isShared
      && old[place].node.shown != new[place].node.shown && old[place].node.storage == new[place].node.storage
  }
}
