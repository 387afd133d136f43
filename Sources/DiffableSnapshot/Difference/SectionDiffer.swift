/// Finds what became of the sections, and which of them may hold differing items.
struct SectionDiffer {
  /// A section that stands on one side or on both, with its shown rank there.
  struct Pair {
    var old: (node: Node, rank: Int)?
    var new: (node: Node, rank: Int)?
  }

  /// Sections shown on at least one side that do not share all their items, in the old order, then new ones in theirs.
  private(set) var pairs: [Pair] = []
  private var runs: [Run] = []
  /// For each run, the new number of its section; none for a run of several.
  private var sections: [UInt32] = []

  /// - Parameter mayMove: where given, the new numbers of the sections that are to move rather than any other.
  init(from old: OrderedIndex, to new: OrderedIndex, _ matching: Matching, mayMove: Set<UInt32>?, into diff: inout NumberedDiff) {
    let alignment = Alignment(old.root, new.root)
    let heavy = mayMove == nil ? 1 : new.counts.sections(.shown) + 1
    var newSections: [UInt32: (node: Node, rank: Int)] = [:]
    var sharedRanks: [UInt: Int] = [:]
    var rank = 0
    for piece in alignment.new {
      if piece.isShared { sharedRanks[piece.node.storage] = rank }
      if piece.node.kind == .section, piece.node.counts.shownSections > 0 { newSections[piece.node.section] = (piece.node, rank) }
      rank += piece.node.counts.sections(.shown)
    }
    rank = 0
    for piece in alignment.old where piece.node.counts.shownSections > 0 {
      let count = piece.node.counts.sections(.shown)
      if piece.isShared, let newRank = sharedRanks[piece.node.storage] {
        let isSection = piece.node.kind == .section
        let isLight = isSection && mayMove?.contains(piece.node.section) == true
        runs.append(Run(old: rank, new: newRank, count: count, weight: isLight ? 1 : heavy))
        sections.append(isSection ? piece.node.section : NumberPool.none)
        if isSection { newSections[piece.node.section] = nil }
      } else if let section = matching.newSection(piece.node.section), let twin = newSections.removeValue(forKey: section) {
        runs.append(Run(old: rank, new: twin.rank, count: 1, weight: mayMove?.contains(section) == true ? 1 : heavy))
        sections.append(section)
        pairs.append(Pair(old: (piece.node, rank), new: twin))
      } else {
        diff.deletedSections.append((piece.node.section, rank))
        pairs.append(Pair(old: (piece.node, rank)))
      }
      rank += count
    }
    for (section, twin) in newSections.sorted(by: { $0.value.rank < $1.value.rank }) {
      diff.insertedSections.append((section, twin.rank))
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
