/// Computes the difference between the items of two indexes, with the fewest possible moves.
///
/// Shared nodes cost nothing. All other items are open: first the pairs among them are found, then
/// each section is compared by offsets alone.
@usableFromInline
struct ItemDiffer {
  private let newIndex: OrderedIndex
  private var diff: NumberedDiff
  private var old = OpenItems()
  private var new = OpenItems()
  private var sections: [Section] = []

  /// A section on both sides, or on one of them.
  private struct Section {
    var oldRank = 0
    var newRank = 0
    var number = NumberPool.none
    var oldStretches = 0..<0
    var newStretches = 0..<0
    var oldOffsets = 0..<0
    var newOffsets = 0..<0
    /// The items that need no comparison, in the old order.
    var shared: [Run] = []
  }

  @usableFromInline
  static func difference(from old: OrderedIndex, to new: OrderedIndex, _ matching: Matching) -> NumberedDiff {
    var diff = NumberedDiff()
    let pairs = diff.compareSections(from: old, to: new, matching, mayMove: nil)
    var differ = ItemDiffer(new: new, diff: diff)
    differ.sections.reserveCapacity(pairs.count)
    for pair in pairs { differ.open(pair.old, pair.new) }
    let limits = (old: old.itemLimit, new: new.itemLimit)
    var matches = ItemMatches(old: differ.old.items, new: differ.new.items, limits: limits)
    for section in differ.sections where !section.oldOffsets.isEmpty && !section.newOffsets.isEmpty {
      matching.align(&matches, section.oldOffsets, section.newOffsets)
    }
    matches.matchRest(matching)
    differ.list(matches)
    return differ.diff
  }

  private init(new: OrderedIndex, diff: NumberedDiff) {
    newIndex = new
    self.diff = diff
  }

  private mutating func open(_ oldSide: NumberedDiff.SectionSide?, _ newSide: NumberedDiff.SectionSide?) {
    var section = Section()
    let start = (old: (old.stretches.count, old.items.count), new: (new.stretches.count, new.items.count))
    if let oldSide { section.oldRank = oldSide.rank }
    if let newSide {
      section.newRank = newSide.rank
      section.number = newSide.node.section
    }
    if let oldNode = oldSide?.node.children.first, let newNode = newSide?.node.children.first {
      if oldNode.kind == .leaf, newNode.kind == .leaf, oldNode.storage != newNode.storage {
        old.add(oldNode, at: Spot(rank: section.oldRank, index: 0))
        new.add(newNode, at: Spot(rank: section.newRank, index: 0))
      } else {
        compare(Alignment(oldNode, newNode), &section)
      }
    } else {
      oldSide?.node.addLeaves(to: &old, rank: section.oldRank)
      newSide?.node.addLeaves(to: &new, rank: section.newRank)
    }
    section.oldStretches = start.old.0..<old.stretches.count
    section.oldOffsets = start.old.1..<old.items.count
    section.newStretches = start.new.0..<new.stretches.count
    section.newOffsets = start.new.1..<new.items.count
    sections.append(section)
  }

  /// Divides the pieces of both sides into shared runs and open items.
  private mutating func compare(_ alignment: Alignment, _ section: inout Section) {
    var starts: [Int] = []
    var shared: [Int] = []
    var index = alignment.before.items(.shown)
    for place in alignment.new.indices {
      starts.append(index)
      if alignment.new[place].isShared {
        shared.append(index)
      } else if !alignment.hasSameItems(place) {
        new.add(alignment.new[place].node.pointee, at: Spot(rank: section.newRank, index: index))
      }
      index += alignment.new[place].node.pointee.counts.items(.shown)
    }

    var sharedUsed = 0
    index = alignment.before.items(.shown)
    for place in alignment.old.indices {
      let count = alignment.old[place].node.pointee.counts.items(.shown)
      if alignment.old[place].isShared {
        if count > 0 { section.shared.extend(old: index, new: shared[sharedUsed], count: count) }
        sharedUsed += 1
      } else if alignment.hasSameItems(place) {
        let spots = (
          Spot(rank: section.oldRank, index: index), Spot(rank: section.newRank, index: starts[place])
        )
        compareVisibility(
          alignment.old[place].node.pointee, alignment.new[place].node.pointee, spots, &section.shared)
      } else {
        old.add(alignment.old[place].node.pointee, at: Spot(rank: section.oldRank, index: index))
      }
      index += count
    }
  }

  /// Compares two leaves with the same items but different visibility.
  private mutating func compareVisibility(
    _ old: Node, _ new: Node, _ starts: (old: Spot, new: Spot), _ runs: inout [Run]
  ) {
    var (from, to) = starts
    var rest = old.shown | new.shown
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      rest &= rest - 1
      switch (old.isShown(slot), new.isShown(slot)) {
      case (true, true): runs.extend(old: from.index, new: to.index)
      case (true, false): diff.deletes.append((old.items[slot], from))
      case (false, _): diff.inserts.append((new.items[slot], to))
      }
      if old.isShown(slot) { from.advance() }
      if new.isShown(slot) { to.advance() }
    }
  }

  private mutating func list(_ matches: ItemMatches) {
    var isMoved = [Bool](repeating: false, count: new.items.count)
    for section in sections { findMoves(section, matches, &isMoved) }
    listDeletes(matches)
    listArrivals(matches, isMoved)
    diff.sort()
  }

  /// Marks the open new items that moved, and records moves of shared items.
  private mutating func findMoves(_ section: Section, _ matches: ItemMatches, _ isMoved: inout [Bool]) {
    var runs = self.runs(section, matches, &isMoved)
    if !section.shared.isEmpty {
      runs += section.shared
      runs.sortUnlessSorted { $0.old < $1.old }
    }
    for (place, stays) in runs.staying().enumerated() where !stays {
      let run = runs[place]
      let to = Spot(rank: section.newRank, index: run.new)
      if let offset = new.offset(ofSpot: to, in: section.newStretches) {
        for step in 0..<run.count { isMoved[offset + step] = true }
      } else {
        addMoves(run, section)
      }
    }
  }

  /// Returns the runs of open items in the section on both sides, and marks those that have left it.
  private func runs(_ section: Section, _ matches: ItemMatches, _ isMoved: inout [Bool]) -> [Run] {
    var runs: [Run] = []
    var hint = section.newStretches.lowerBound
    for place in section.oldStretches {
      let offsets = old.offsets(ofStretch: place)
      var offset = offsets.lowerBound
      while offset < offsets.upperBound {
        let target = Int(matches.targets[offset])
        if target < 0 {
          offset += 1
        } else if section.newOffsets.contains(target) {
          let to = new.spot(ofOffset: target, &hint)
          let limit = min(offsets.upperBound - offset, new.offsets(ofStretch: hint).upperBound - target)
          var count = 1
          while count < limit, Int(matches.targets[offset + count]) == target + count { count += 1 }
          let from = old.stretches[place].spot.advanced(by: offset - offsets.lowerBound)
          runs.extend(old: from.index, new: to.index, count: count)
          offset += count
        } else {
          isMoved[target] = true
          offset += 1
        }
      }
    }
    return runs
  }

  private mutating func addMoves(_ run: Run, _ section: Section) {
    var cursor = newIndex.cursor(inSection: section.number, run.new..<run.new + run.count)
    var from = Spot(rank: section.oldRank, index: run.old)
    var to = Spot(rank: section.newRank, index: run.new)
    while let item = cursor.nextItem() {
      diff.moves.append((item, from, to))
      from.advance()
      to.advance()
    }
  }

  private mutating func listDeletes(_ matches: ItemMatches) {
    diff.deletes.reserveCapacity(diff.deletes.count + old.items.count - matches.count)
    for place in old.stretches.indices {
      var spot = old.stretches[place].spot
      for offset in old.offsets(ofStretch: place) {
        if matches.targets[offset] < 0 { diff.deletes.append((old.items[offset], spot)) }
        spot.advance()
      }
    }
  }

  /// Records the open new items without a partner, and those that moved, in order.
  private mutating func listArrivals(_ matches: ItemMatches, _ isMoved: [Bool]) {
    diff.inserts.reserveCapacity(diff.inserts.count + new.items.count - matches.count)
    let spots = old.spots
    // The sections are in the old order.
    sections.sortUnlessSorted { $0.newRank < $1.newRank }
    for place in sections.lazy.flatMap(\.newStretches) {
      var spot = new.stretches[place].spot
      for offset in new.offsets(ofStretch: place) {
        let origin = Int(matches.origins[offset])
        if origin < 0 {
          diff.inserts.append((new.items[offset], spot))
        } else if isMoved[offset] {
          diff.moves.append((new.items[offset], spots[origin], spot))
        }
        spot.advance()
      }
    }
  }
}

private typealias Spot = NumberedDiff.Spot

extension Node {
  fileprivate func addLeaves(to open: inout OpenItems, rank: Int) {
    var index = 0
    forEachLeaf { leaf in
      open.add(leaf, at: Spot(rank: rank, index: index))
      index += leaf.counts.items(.shown)
    }
  }
}

extension Alignment {
  /// True if both sides have a leaf with the same items but different visibility at this place.
  fileprivate func hasSameItems(_ place: Int) -> Bool {
    guard place < min(old.count, new.count), !old[place].isShared, !new[place].isShared else { return false }
    let one = old[place].node
    let other = new[place].node
    return one.pointee.shown != other.pointee.shown && one.pointee.storage == other.pointee.storage
  }
}

/// The shown items of one side that may not match the other side, section by section, numbered by offsets.
private struct OpenItems {
  private(set) var items: [UInt32] = []
  /// Items that are contiguous in both `items` and their section: the offset and the spot of the first one.
  private(set) var stretches: [(offset: Int, spot: NumberedDiff.Spot)] = []
  private var end: NumberedDiff.Spot?

  /// `spot` is that of the leaf's first shown item. The leaves of a section must be added in order.
  mutating func add(_ leaf: borrowing Node, at spot: NumberedDiff.Spot) {
    if leaf.shown == 0 { return }
    if end != spot { stretches.append((items.count, spot)) }
    leaf.forEachShownItem { items.append($0) }
    end = spot.advanced(by: leaf.counts.items(.shown))
  }

  func offsets(ofStretch place: Int) -> Range<Int> {
    stretches[place].offset..<(place + 1 < stretches.count ? stretches[place + 1].offset : items.count)
  }

  var spots: [NumberedDiff.Spot] {
    var spots: [NumberedDiff.Spot] = []
    spots.reserveCapacity(items.count)
    for (place, stretch) in stretches.enumerated() {
      var spot = stretch.spot
      for _ in offsets(ofStretch: place) {
        spots.append(spot)
        spot.advance()
      }
    }
    return spots
  }

  /// `hint` is the stretch to try first; it is set to the stretch of the item.
  func spot(ofOffset offset: Int, _ hint: inout Int) -> NumberedDiff.Spot {
    if !stretches.indices.contains(hint) || !offsets(ofStretch: hint).contains(offset) {
      hint = stretches.indices.partitionPoint { stretches[$0].offset > offset } - 1
    }
    return stretches[hint].spot.advanced(by: offset - stretches[hint].offset)
  }

  /// Returns the offset of the item at a spot, or nil if it is not open.
  func offset(ofSpot spot: NumberedDiff.Spot, in places: Range<Int>) -> Int? {
    let place = places.partitionPoint { stretches[$0].spot > spot } - 1
    if place < places.lowerBound { return nil }
    let offset = stretches[place].offset + spot.index - stretches[place].spot.index
    return offsets(ofStretch: place).contains(offset) ? offset : nil
  }
}
