/// A three-way merge of sequences in which changes to adjacent elements do not conflict.
///
/// Two hunks overlap only if they replace the same element of the base, if one inserts within the
/// elements that the other replaces, or if both insert at the same place.
struct HunkMerge<Element: Hashable> {
  struct Chunk {
    enum Kind {
      case unchanged
      case ours
      case theirs
      /// Both sides made the same change.
      case both
      /// Both sides only removed elements.
      case removed
      /// The sides made different changes.
      case open
    }

    let kind: Kind
    let base: [Element]
    let ours: [Element]
    let theirs: [Element]

    /// The merged elements; nil if the chunk is open.
    var settled: [Element]? {
      switch kind {
      case .unchanged: base
      case .ours, .both: ours
      case .theirs: theirs
      case .removed: []
      case .open: nil
      }
    }
  }

  let chunks: [Chunk]

  init(base: [Element], ours: [Element], theirs: [Element], toOurs: [Hunk], toTheirs: [Hunk]) {
    var merger = Merger(base: base, ours: ours, theirs: theirs, own: toOurs[...], other: toTheirs[...])
    merger.run()
    chunks = merger.chunks
  }

  private struct Merger {
    let base: [Element]
    let ours: [Element]
    let theirs: [Element]
    var own: ArraySlice<Hunk>
    var other: ArraySlice<Hunk>
    var chunks: [Chunk] = []
    private var next = (base: 0, own: 0, other: 0)

    init(base: [Element], ours: [Element], theirs: [Element], own: ArraySlice<Hunk>, other: ArraySlice<Hunk>)
    {
      (self.base, self.ours, self.theirs, self.own, self.other) = (base, ours, theirs, own, other)
    }

    mutating func run() {
      while let first = nextRange {
        keep(upTo: first.lowerBound)
        closeGroup(startingWith: first)
      }
      keep(upTo: base.count)
    }

    /// The first range of either side that is left.
    private var nextRange: Range<Int>? {
      guard let first = own.first?.base, let second = other.first?.base else {
        return own.first?.base ?? other.first?.base
      }
      return (second.lowerBound, second.upperBound) < (first.lowerBound, first.upperBound) ? second : first
    }

    private mutating func keep(upTo end: Int) {
      let count = end - next.base
      guard count > 0 else { return }
      let kept = Array(base[next.base..<end])
      chunks.append(Chunk(kind: .unchanged, base: kept, ours: kept, theirs: kept))
      next = (end, next.own + count, next.other + count)
    }

    private mutating func closeGroup(startingWith first: Range<Int>) {
      var range = first
      var (growth, counts, added) = ((own: 0, other: 0), (own: 0, other: 0), 0)
      var isGrowing = true
      while isGrowing {
        isGrowing = false
        while let hunk = own.first, hunk.base.conflicts(with: range) {
          (isGrowing, counts.own, added) = (true, counts.own + 1, added + hunk.side.count)
          growth.own += hunk.side.count - hunk.base.count
          range = min(range.lowerBound, hunk.base.lowerBound)..<max(range.upperBound, hunk.base.upperBound)
          own.removeFirst()
        }
        while let hunk = other.first, hunk.base.conflicts(with: range) {
          (isGrowing, counts.other, added) = (true, counts.other + 1, added + hunk.side.count)
          growth.other += hunk.side.count - hunk.base.count
          range = min(range.lowerBound, hunk.base.lowerBound)..<max(range.upperBound, hunk.base.upperBound)
          other.removeFirst()
        }
      }
      let end = (own: next.own + range.count + growth.own, other: next.other + range.count + growth.other)
      let (own, other) = (Array(ours[next.own..<end.own]), Array(theirs[next.other..<end.other]))
      let kind: Chunk.Kind =
        if counts.other == 0 { .ours } else if counts.own == 0 { .theirs } else if own == other {
          .both
        } else if added == 0 {
          .removed
        } else { .open }
      chunks.append(Chunk(kind: kind, base: Array(base[range]), ours: own, theirs: other))
      next = (range.upperBound, end.own, end.other)
    }
  }
}

extension Range<Int> {
  /// Returns true if two hunks at these ranges of the base overlap.
  fileprivate func conflicts(with other: Range<Int>) -> Bool {
    if isEmpty, other.isEmpty { return lowerBound == other.lowerBound }
    if isEmpty { return other.lowerBound < lowerBound && lowerBound < other.upperBound }
    return other.isEmpty ? other.conflicts(with: self) : overlaps(other)
  }
}
