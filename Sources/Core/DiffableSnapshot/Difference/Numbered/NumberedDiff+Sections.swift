extension NumberedDiff {
  typealias SectionSide = (node: Node, rank: Int)

  /// Adds the deleted, inserted and moved sections. Those in `mayMove` (new numbers) are preferred for
  /// moves. Returns the sections whose items may differ, on the sides where they are shown: those of the
  /// old side in order, then inserted ones in order.
  mutating func compareSections(
    from old: OrderedIndex, to new: OrderedIndex, _ matching: Matching, mayMove: Set<UInt32>?
  ) -> [(old: SectionSide?, new: SectionSide?)] {
    var pairs: [(old: SectionSide?, new: SectionSide?)] = []
    var runs: [Run] = []
    // The new section number per run, or none for a run of several sections.
    var sections: [UInt32] = []
    let alignment = Alignment(old.root, new.root)
    var arrivals = Arrivals(alignment, below: new.sectionLimit)
    let heavy = mayMove == nil ? 1 : new.counts.sections(.shown) + 1
    var rank = alignment.before.sections(.shown)
    for piece in alignment.old where piece.node.pointee.counts.shownSections > 0 {
      let count = piece.node.pointee.counts.sections(.shown)
      if piece.isShared, piece.node.pointee.kind == .trunk {
        runs.append(Run(old: rank, new: arrivals.nextTrunk(), count: count, weight: heavy))
        sections.append(NumberPool.none)
      } else if let section = piece.isShared
        ? piece.node.pointee.section : matching.newSection(piece.node.pointee.section),
        let twin = arrivals.remove(section)
      {
        runs.append(
          Run(old: rank, new: twin.rank, count: 1, weight: mayMove?.contains(section) == true ? 1 : heavy))
        sections.append(section)
        if !piece.isShared { pairs.append(((piece.node.pointee, rank), twin)) }
      } else {
        deletedSections.append((piece.node.pointee.section, rank))
        pairs.append(((piece.node.pointee, rank), nil))
      }
      rank += count
    }
    for twin in arrivals.rest {
      insertedSections.append((twin.node.section, twin.rank))
      pairs.append((nil, twin))
    }
    withExtendedLifetime(alignment) {}
    addMoves(runs, sections, new)
    return pairs
  }

  /// - Parameter sections: The new section number per run, or none for a run of several sections.
  private mutating func addMoves(_ runs: [Run], _ sections: [UInt32], _ new: OrderedIndex) {
    for (place, stays) in runs.staying().enumerated() where !stays {
      let run = runs[place]
      for offset in 0..<run.count {
        guard let section = run.count == 1 ? sections[place] : new.section(at: run.new + offset, .shown)
        else { continue }
        movedSections.append((section, run.old + offset, run.new + offset))
      }
    }
  }
}

/// The shown sections of the new side that no old section was matched with yet.
private struct Arrivals {
  private var sides: [(node: UnsafePointer<Node>, rank: Int)] = []
  private var isUsed: [Bool]
  private let places: NumberMap
  private var trunkRanks: [Int] = []
  private var usedTrunks = 0

  /// `limit` is greater than the number of each new section. The trees must exist as long as this.
  init(_ alignment: Alignment, below limit: Int) {
    var rank = alignment.before.sections(.shown)
    var numbers: [UInt32] = []
    for piece in alignment.new where piece.node.pointee.counts.shownSections > 0 {
      if piece.node.pointee.kind == .section {
        sides.append((piece.node, rank))
        numbers.append(piece.node.pointee.section)
      } else {
        trunkRanks.append(rank)
      }
      rank += piece.node.pointee.counts.sections(.shown)
    }
    isUsed = [Bool](repeating: false, count: sides.count)
    places = NumberMap(numbers, below: limit)
  }

  /// Returns the rank of the next trunk. All remaining trunks are shared and in the old order.
  mutating func nextTrunk() -> Int {
    defer { usedTrunks += 1 }
    return trunkRanks[usedTrunks]
  }

  mutating func remove(_ section: UInt32) -> (node: Node, rank: Int)? {
    guard let place = places.offset(of: section), !isUsed[place] else { return nil }
    isUsed[place] = true
    return (sides[place].node.pointee, sides[place].rank)
  }

  var rest: [(node: Node, rank: Int)] {
    sides.indices.filter { !isUsed[$0] }.map { (sides[$0].node.pointee, sides[$0].rank) }
  }
}
