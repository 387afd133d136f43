import Values

/// The new keys of two versions of a map under which both sides continue the same key of the base.
///
/// A side renamed a key if it removed it and has a new key with the same value, or a new key in the
/// same place: between the nearest other keys of the base. If both sides did so, with different new
/// keys, a merge of both would have the field twice. If only one side has a new key, the other one
/// removed the field, and nothing is doubled.
///
/// Linear: equal values and equal places are handled once.
struct DivergingRenames {
  private(set) var ours: Set<ExactString> = []
  private(set) var theirs: Set<ExactString> = []

  init(base: Fields, ours own: Fields, theirs other: Fields) {
    var (ownIndex, otherIndex) = (FieldIndex(own), FieldIndex(other))
    let ownPlaces = base.enumerated().map { ownIndex.place(of: $1.key, near: $0) }
    let otherPlaces = base.enumerated().map { otherIndex.place(of: $1.key, near: $0) }
    let removed = base.indices.filter { ownPlaces[$0] == nil && otherPlaces[$0] == nil }
    guard !removed.isEmpty else { return }
    var baseIndex = FieldIndex(base)
    let added = (
      ours: own.indices.filter {
        baseIndex.place(of: own[$0].key, near: $0) == nil
          && otherIndex.place(of: own[$0].key, near: $0) == nil
      },
      theirs: other.indices.filter {
        baseIndex.place(of: other[$0].key, near: $0) == nil
          && ownIndex.place(of: other[$0].key, near: $0) == nil
      }
    )
    guard !added.ours.isEmpty, !added.theirs.isEmpty else { return }
    var sides = (ours: Side(own, added.ours, ownPlaces), theirs: Side(other, added.theirs, otherPlaces))
    for place in removed where sides.ours.hasSuccessor(of: base[place].value, at: place) {
      guard sides.theirs.hasSuccessor(of: base[place].value, at: place) else { continue }
      sides.ours.markSuccessors(of: base[place].value, at: place)
      sides.theirs.markSuccessors(of: base[place].value, at: place)
    }
    (ours, theirs) = (sides.ours.marked, sides.theirs.marked)
  }

  /// One version of the map.
  private struct Side {
    private let fields: Fields
    /// The positions of the new keys, by their values.
    private var byValue: [Value: [Int]] = [:]
    /// Per key of the base: the positions between the nearest other keys of the base.
    private var gaps: [Range<Int>]
    /// Per position: the number of new keys before it.
    private var countsBefore: [Int]
    /// Per position: the next new key that is not marked, as far as it is known.
    private var next: [Int]
    private(set) var marked: Set<ExactString> = []

    init(_ fields: Fields, _ added: [Int], _ places: [Int?]) {
      self.fields = fields
      for place in added { byValue[fields[place].value, default: []].append(place) }
      next = Array(1...fields.count + 1)
      for place in added { next[place] = place }
      countsBefore = [0]
      for place in fields.indices {
        countsBefore.append(countsBefore[place] + (next[place] == place ? 1 : 0))
      }
      var starts: [Int] = []
      var start = 0
      for place in places {
        starts.append(start)
        if let place { start = place + 1 }
      }
      gaps = []
      var end = fields.count
      for (index, place) in places.enumerated().reversed() {
        gaps.append(starts[index]..<max(starts[index], end))
        if let place { end = place }
      }
      gaps.reverse()
    }

    func hasSuccessor(of value: Value, at place: Int) -> Bool {
      byValue[value] != nil || countsBefore[gaps[place].upperBound] > countsBefore[gaps[place].lowerBound]
    }

    mutating func markSuccessors(of value: Value, at place: Int) {
      for position in byValue.removeValue(forKey: value) ?? [] { mark(position) }
      var position = firstUnmarked(from: gaps[place].lowerBound)
      while position < gaps[place].upperBound {
        mark(position)
        position = firstUnmarked(from: position)
      }
    }

    private mutating func mark(_ position: Int) {
      marked.insert(ExactString(fields[position].key))
      next[position] = position + 1
    }

    /// Skips what earlier calls skipped, so that overlapping gaps cost no more than one.
    private mutating func firstUnmarked(from start: Int) -> Int {
      var end = start
      while end < fields.count, next[end] != end { end = next[end] }
      var position = start
      while position < end { (position, next[position]) = (next[position], end) }
      return end
    }
  }
}
