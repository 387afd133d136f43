/// Finds what became of the sections, and which of them may hold differing items.
struct SectionDiffer {
  /// A section that is shown on one side or on both, and its rank there.
  struct Pair {
    var old: (node: Node, rank: Int)?
    var new: (node: Node, rank: Int)?
  }

  /// Sections that do not share all their items, in the old order, then new ones in theirs.
  private(set) var pairs: [Pair] = []
  private var runs: [Run] = []
  /// For each run, the new number of its section; none for a run of several.
  private var sections: [UInt32] = []

  /// - Parameter mayMove: where given, the new numbers of the sections that are to move rather than any other.
  init(from old: OrderedIndex, to new: OrderedIndex, _ matching: Matching, mayMove: Set<UInt32>?, into diff: inout NumberedDiff) {
    let alignment = Alignment(old.root, new.root)
    var arrivals = Arrivals(alignment)
    let heavy = mayMove == nil ? 1 : new.counts.sections(.shown) + 1
    var rank = alignment.before.sections(.shown)
    for piece in alignment.old where piece.node.counts.shownSections > 0 {
      let count = piece.node.counts.sections(.shown)
      if piece.isShared, piece.node.kind == .trunk {
        runs.append(Run(old: rank, new: arrivals.nextTrunk(), count: count, weight: heavy))
        sections.append(NumberPool.none)
      } else if let section = piece.isShared ? piece.node.section : matching.newSection(piece.node.section),
        let twin = arrivals.take(section)
      {
        runs.append(Run(old: rank, new: twin.rank, count: 1, weight: mayMove?.contains(section) == true ? 1 : heavy))
        sections.append(section)
        if !piece.isShared { pairs.append(Pair(old: (piece.node, rank), new: twin)) }
      } else {
        diff.deletedSections.append((piece.node.section, rank))
        pairs.append(Pair(old: (piece.node, rank)))
      }
      rank += count
    }
    for twin in arrivals.rest {
      diff.insertedSections.append((twin.node.section, twin.rank))
      pairs.append(Pair(new: twin))
    }
    addMoves(new, into: &diff)
  }

  private func addMoves(_ new: OrderedIndex, into diff: inout NumberedDiff) {
    for (place, stays) in runs.staying().enumerated() where !stays {
      let run = runs[place]
      for offset in 0..<run.count {
        guard let section = run.count == 1 ? sections[place] : new.section(at: run.new + offset, .shown) else { continue }
        diff.movedSections.append(.init(section: section, from: run.old + offset, to: run.new + offset))
      }
    }
  }
}

/// The shown sections of the new side, to be found from the old.
private struct Arrivals {
  private var bySection: [UInt32: (node: Node, rank: Int)] = [:]
  private var trunkRanks: [Int] = []
  private var trunksTaken = 0

  init(_ alignment: Alignment) {
    var rank = alignment.before.sections(.shown)
    bySection.reserveCapacity(alignment.new.count)
    for piece in alignment.new where piece.node.counts.shownSections > 0 {
      if piece.node.kind == .section { bySection[piece.node.section] = (piece.node, rank) } else { trunkRanks.append(rank) }
      rank += piece.node.counts.sections(.shown)
    }
  }

  /// The rank of the next trunk; all that are left are shared, and in the old order.
  mutating func nextTrunk() -> Int {
    defer { trunksTaken += 1 }
    return trunkRanks[trunksTaken]
  }

  mutating func take(_ section: UInt32) -> (node: Node, rank: Int)? { bySection.removeValue(forKey: section) }

  /// Those not taken, in order.
  var rest: [(node: Node, rank: Int)] { bySection.values.sorted { $0.rank < $1.rank } }
}
