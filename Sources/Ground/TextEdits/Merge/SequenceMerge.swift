/// A three-way merge of sequences in which changes to adjacent elements do not conflict.
///
/// Two hunks overlap only if they replace the same element of the base, if one inserts within the
/// elements that the other replaces, or if both insert at the same place.
struct SequenceMerge<Element: Hashable> {
  struct Chunk {
    fileprivate(set) var base: [Element] = []
    fileprivate(set) var ours: [Element]
    fileprivate(set) var theirs: [Element]
    /// The merged elements; nil if the sides are in conflict.
    var settled: [Element]?
    fileprivate(set) var isUnchanged = false
  }

  private(set) var chunks: [Chunk] = []
  private let versions: Versions<[Element]>
  private var own: ArraySlice<Hunk>
  private var other: ArraySlice<Hunk>
  private var next = (base: 0, own: 0, other: 0)

  /// - Parameter pairs: Pairs the elements of the base with those of a side, in the order of both.
  init(
    _ versions: Versions<[Element]>,
    pairs: ([Element], [Element]) -> [(first: Int, second: Int)] = { SequenceAlignment($0, $1).pairs }
  ) {
    self.versions = versions
    own = Hunk.between(versions.base, versions.ours, pairs(versions.base, versions.ours))[...]
    other = Hunk.between(versions.base, versions.theirs, pairs(versions.base, versions.theirs))[...]
    while let first = nextRange {
      keep(upTo: first.lowerBound)
      closeGroup(startingWith: first)
    }
    keep(upTo: versions.base.count)
  }

  /// The chunks as git merges them: changes to adjacent elements are one chunk, which is settled only
  /// if one side made it, or both made the same.
  var gitChunks: [Chunk] {
    var joined: [Chunk] = []
    for chunk in chunks {
      if let last = joined.indices.last, !joined[last].isUnchanged, !chunk.isUnchanged {
        joined[last].base += chunk.base
        joined[last].ours += chunk.ours
        joined[last].theirs += chunk.theirs
      } else {
        joined.append(chunk)
      }
    }
    for index in joined.indices {
      let base = joined[index].base
      let ours = joined[index].ours
      let theirs = joined[index].theirs
      joined[index].settled = ours == theirs || base == theirs ? ours : base == ours ? theirs : nil
    }
    return joined
  }

  private var nextRange: Range<Int>? {
    guard let first = own.first?.base, let second = other.first?.base else {
      return own.first?.base ?? other.first?.base
    }
    return (second.lowerBound, second.upperBound) < (first.lowerBound, first.upperBound) ? second : first
  }

  private mutating func keep(upTo end: Int) {
    let count = end - next.base
    guard count > 0 else { return }
    let kept = Array(versions.base[next.base..<end])
    chunks.append(Chunk(base: kept, ours: kept, theirs: kept, settled: kept, isUnchanged: true))
    next = (end, next.own + count, next.other + count)
  }

  private mutating func closeGroup(startingWith first: Range<Int>) {
    var range = first
    var growth = (own: 0, other: 0)
    var counts = (own: 0, other: 0)
    var added = 0
    var isGrowing = true
    func join(_ hunks: inout ArraySlice<Hunk>, _ count: inout Int, _ growth: inout Int) {
      while let hunk = hunks.first, hunk.base.conflicts(with: range) {
        isGrowing = true
        count += 1
        added += hunk.side.count
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
    let ours = Array(versions.ours[next.own..<end.own])
    let theirs = Array(versions.theirs[next.other..<end.other])
    var chunk = Chunk(base: Array(versions.base[range]), ours: ours, theirs: theirs)
    if counts.other == 0 || counts.own > 0 && ours == theirs {
      chunk.settled = ours
    } else if counts.own == 0 {
      chunk.settled = theirs
    } else if added == 0 {
      chunk.settled = []
    }
    chunks.append(chunk)
    next = (range.upperBound, end.own, end.other)
  }
}

extension Range<Int> {
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
    for gap in pairs.gaps(base.count, side.count) {
      if !gap.first.isEmpty || !gap.second.isEmpty { hunks.append(Hunk(base: gap.first, side: gap.second)) }
      let first = gap.first.upperBound
      let second = gap.second.upperBound
      if first < base.count, base[first] != side[second] {
        hunks.append(Hunk(base: first..<first + 1, side: second..<second + 1))
      }
    }
    return hunks
  }
}

struct Versions<Content> {
  var base: Content
  var ours: Content
  var theirs: Content

  init(_ base: Content, _ ours: Content, _ theirs: Content) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
  }

  func map<Result>(_ transform: (Content) -> Result) -> Versions<Result> {
    Versions<Result>(transform(base), transform(ours), transform(theirs))
  }
}

extension Versions: Sendable where Content: Sendable {}
