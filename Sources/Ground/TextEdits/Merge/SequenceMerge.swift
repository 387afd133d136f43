/// A three-way merge of sequences, element by element.
///
/// A range that only one side changed has that side's elements. A range that both sides changed
/// differently remains open.
struct SequenceMerge<Element: Hashable> {
  enum Chunk {
    case settled([Element])
    case open(base: [Element], ours: [Element], theirs: [Element])
  }

  let chunks: [Chunk]

  init(_ versions: Versions<[Element]>) {
    let (base, ours, theirs) = (versions.base, versions.ours, versions.theirs)
    let toOurs = SequenceAlignment.places(of: base, in: ours)
    let toTheirs = SequenceAlignment.places(of: base, in: theirs)
    var chunks: [Chunk] = []
    var start = (base: 0, ours: 0, theirs: 0)
    func close(_ end: (base: Int, ours: Int, theirs: Int)) {
      let parts = (
        Array(base[start.base..<end.base]), Array(ours[start.ours..<end.ours]),
        Array(theirs[start.theirs..<end.theirs])
      )
      if let chunk = SequenceMerge.chunk(parts.0, parts.1, parts.2) { chunks.append(chunk) }
    }
    for index in base.indices {
      guard let own = toOurs[index], let other = toTheirs[index] else { continue }
      close((index, own, other))
      chunks.append(.settled([base[index]]))
      start = (index + 1, own + 1, other + 1)
    }
    close((base.count, ours.count, theirs.count))
    self.chunks = chunks
  }

  private static func chunk(_ base: [Element], _ ours: [Element], _ theirs: [Element]) -> Chunk? {
    if base.isEmpty && ours.isEmpty && theirs.isEmpty { return nil }
    if ours == theirs || base == theirs { return .settled(ours) }
    if base == ours { return .settled(theirs) }
    return .open(base: base, ours: ours, theirs: theirs)
  }

  /// All elements; nil if a chunk is open.
  var settled: [Element]? {
    var all: [Element] = []
    for case let chunk in chunks {
      guard case .settled(let elements) = chunk else { return nil }
      all += elements
    }
    return all
  }
}

/// A value for each version in a merge: the base and the two sides.
struct Versions<Content> {
  var base: Content
  var ours: Content
  var theirs: Content

  init(_ base: Content, _ ours: Content, _ theirs: Content) {
    (self.base, self.ours, self.theirs) = (base, ours, theirs)
  }

  func map<Result>(_ transform: (Content) -> Result) -> Versions<Result> {
    Versions<Result>(transform(base), transform(ours), transform(theirs))
  }
}

extension Versions: Sendable where Content: Sendable {}
