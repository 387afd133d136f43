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
      case both
      /// Both sides only removed elements.
      case removed
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

  private(set) var chunks: [Chunk] = []
  private let base: [Element]
  private let ours: [Element]
  private let theirs: [Element]
  /// The hunks of the two sides that are left.
  private var own: ArraySlice<Hunk>
  private var other: ArraySlice<Hunk>
  private var next = (base: 0, own: 0, other: 0)

  /// - Parameter pairs: Pairs the elements of the base with those of a side, in the order of both.
  init(_ versions: Versions<[Element]>, pairs: ([Element], [Element]) -> [(first: Int, second: Int)]) {
    (base, ours, theirs) = (versions.base, versions.ours, versions.theirs)
    own = Hunk.between(base, ours, pairs(base, ours))[...]
    other = Hunk.between(base, theirs, pairs(base, theirs))[...]
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
    func join(_ hunks: inout ArraySlice<Hunk>, _ count: inout Int, _ growth: inout Int) {
      while let hunk = hunks.first, hunk.base.conflicts(with: range) {
        (isGrowing, count, added) = (true, count + 1, added + hunk.side.count)
        growth += hunk.side.count - hunk.base.count
        range = min(range.lowerBound, hunk.base.lowerBound)..<max(range.upperBound, hunk.base.upperBound)
        hunks.removeFirst()
      }
    }
    while isGrowing {
      isGrowing = false
      join(&own, &counts.own, &growth.own)
      join(&other, &counts.other, &growth.other)
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

extension Range<Int> {
  /// Returns true if two hunks at these ranges of the base overlap.
  fileprivate func conflicts(with other: Range<Int>) -> Bool {
    if isEmpty, other.isEmpty { return lowerBound == other.lowerBound }
    if isEmpty { return other.lowerBound < lowerBound && lowerBound < other.upperBound }
    return other.isEmpty ? other.conflicts(with: self) : overlaps(other)
  }
}

/// A range of a sequence that one side replaced. Either range can be empty.
private struct Hunk {
  let base: Range<Int>
  let side: Range<Int>

  /// The hunks between the pairs of two sequences. A pair of different elements is a separate hunk.
  static func between<Element: Equatable>(
    _ base: [Element], _ side: [Element], _ pairs: [(first: Int, second: Int)]
  ) -> [Hunk] {
    var hunks: [Hunk] = []
    var next = (base: 0, side: 0)
    for pair in pairs + [(first: base.count, second: side.count)] {
      if next.base < pair.first || next.side < pair.second {
        hunks.append(Hunk(base: next.base..<pair.first, side: next.side..<pair.second))
      }
      if pair.first < base.count, base[pair.first] != side[pair.second] {
        hunks.append(Hunk(base: pair.first..<pair.first + 1, side: pair.second..<pair.second + 1))
      }
      next = (pair.first + 1, pair.second + 1)
    }
    return hunks
  }
}
