extension TextEdit {
  /// Computes the edits that turn one item into another, in the order in which they must be made. A
  /// key that only moved within its map causes no edit. Linear, except for the alignment of lists
  /// (`SequenceAlignment`).
  package static func edits(from old: Fields, to new: Fields) -> [TextEdit] {
    let size = Value.map(old).count(upTo: maxCost)
    return edits(of: old, new, at: [], maxPasses: max(1, min(maxPasses, maxCost / max(1, size))))
  }

  /// Beyond so many elements added to or removed from one list, the complete list is set: each can
  /// cost a pass over the text. Changed elements cost one pass together.
  private static let maxPasses = 1_000
  private static let maxCost = 10_000_000
  private static let maxDepth = 64

  private static func edits(_ old: Value, _ new: Value, at keys: [String], maxPasses: Int) -> [TextEdit] {
    if old == new { return [] }
    let whole = [TextEdit.set(FieldPath(keys: keys), new)]
    guard keys.count < maxDepth, !new.isEmptyCollection else { return whole }
    switch (old, new) {
    case (.map(let old), .map(let new)) where !old.isEmpty:
      return edits(of: old, new, at: keys, maxPasses: maxPasses)
    case (.list(let old), .list(let new)) where !old.isEmpty:
      let edits =
        moves(of: old, new, at: keys, maxPasses: maxPasses)
        ?? edits(of: old, new, at: keys, maxPasses: maxPasses)
      return edits.count(where: \.mayShiftElements) > maxPasses ? whole : edits
    default: return whole
    }
  }

  /// True if the edit may add an element to a list or remove one, so that edits of others wait.
  private var mayShiftElements: Bool {
    switch self {
    case .insert, .remove: path.keys.last.flatMap(Int.init(elementNumber:)) != nil
    case .append, .removeValue: true
    case .set, .rename: false
    }
  }

  private static func edits(of old: Fields, _ new: Fields, at keys: [String], maxPasses: Int) -> [TextEdit] {
    var oldKeys = FieldIndex(old)
    var newKeys = FieldIndex(new)
    var edits: [TextEdit] = []
    for (place, field) in new.enumerated() {
      let path = keys + [field.key]
      if let value = oldKeys.value(of: field.key, near: place) {
        edits += self.edits(value, field.value, at: path, maxPasses: maxPasses)
      } else {
        edits.append(.insert(FieldPath(keys: path), field.value))
      }
    }
    // Removals come last, so that the map is not empty in between.
    for (place, field) in old.enumerated() where newKeys.place(of: field.key, near: place) == nil {
      edits.append(.remove(FieldPath(keys: keys + [field.key])))
    }
    return edits
  }

  /// Computes the edits for a list in which elements moved: removals, then the new order, which keeps the
  /// bytes of the elements, then changes. Nil if none moved.
  private static func moves(of old: [Value], _ new: [Value], at keys: [String], maxPasses: Int) -> [TextEdit]?
  {
    var places = [Int?](repeating: nil, count: new.count)
    var isFree = [Bool](repeating: true, count: old.count)
    for pair in SequenceAlignment(old, new).pairs {
      places[pair.second] = pair.first
      isFree[pair.first] = false
    }
    var known: [Value: [Int]] = [:]
    for place in old.indices.reversed() where isFree[place] { known[old[place], default: []].append(place) }
    for index in new.indices where places[index] == nil {
      guard let place = known[new[index]]?.popLast() else { continue }
      places[index] = place
      isFree[place] = false
    }
    matchSimilar(old, new, &places, &isFree)
    guard isReordered(places) else { return nil }
    // The remaining elements of both sides are changed in place.
    var free = old.indices.filter { isFree[$0] }
    let isComparable = free.count * new.count <= maxComparisons
    for index in new.indices where places[index] == nil && !free.isEmpty {
      let common = isComparable ? free.map { commonFields(old[$0], new[index]) } : []
      places[index] = free.remove(at: common.max().flatMap(common.firstIndex) ?? 0)
    }
    let ordered = places.compactMap { $0 }
    let removed = Set(old.indices).subtracting(ordered).sorted(by: >)
    let moved = ordered.map { old[$0] }
    return removed.map { .remove(FieldPath(keys: keys + [String($0)])) } + [
      .set(FieldPath(keys: keys), .list(moved))
    ]
      + edits(of: moved, new, at: keys, maxPasses: maxPasses)
  }

  private static func isReordered(_ places: [Int?]) -> Bool {
    let found = places.compactMap { $0 }
    return zip(found, found.dropFirst()).contains { $0 > $1 }
  }

  /// Matches changed elements with at least half of their fields, so that these keep their bytes.
  private static func matchSimilar(
    _ old: [Value], _ new: [Value], _ places: inout [Int?], _ isFree: inout [Bool]
  ) {
    var free = old.indices.filter { isFree[$0] }
    guard free.count * new.count <= maxComparisons else { return }
    for index in new.indices where places[index] == nil {
      let common = free.map { commonFields(old[$0], new[index]) }
      guard let most = common.max(), most > 0, let best = common.firstIndex(of: most),
        2 * most >= max(old[free[best]].fields?.count ?? 0, new[index].fields?.count ?? 0)
      else { continue }
      places[index] = free[best]
      isFree[free[best]] = false
      free.remove(at: best)
    }
  }

  /// Computes the edits for a list in which no element moved, from its end to its start, so that
  /// element numbers remain valid.
  private static func edits(of old: [Value], _ new: [Value], at keys: [String], maxPasses: Int) -> [TextEdit]
  {
    let path = { (index: Int) in FieldPath(keys: keys + [String(index)]) }
    var edits: [TextEdit] = []
    var end = (old: old.count, new: new.count)
    for pair in pairs(of: old, new).reversed() + [(old: -1, new: -1)] {
      for index in (pair.new + 1..<end.new).reversed() {
        edits.append(.insert(path(pair.old + 1), new[index]))
      }
      for index in (pair.old + 1..<end.old).reversed() { edits.append(.remove(path(index))) }
      if pair.old >= 0 {
        edits += self.edits(old[pair.old], new[pair.new], at: keys + [String(pair.old)], maxPasses: maxPasses)
      }
      end = pair
    }
    return edits
  }

  /// Pairs equal elements, and between them those that can be changed into one another, in order.
  private static func pairs(of old: [Value], _ new: [Value]) -> [(old: Int, new: Int)] {
    var pairs: [(old: Int, new: Int)] = []
    for gap in SequenceAlignment(old, new).pairs.gaps(old.count, new.count) {
      pairs += nearest(old[gap.first], new[gap.second])
      let next = (old: gap.first.upperBound, new: gap.second.upperBound)
      if next.old < old.count { pairs.append(next) }
    }
    return pairs
  }

  /// Pairs as many elements as possible, preferring those with many fields in common, so that a
  /// remaining element's comments don't end up at a different one.
  private static func nearest(_ old: ArraySlice<Value>, _ new: ArraySlice<Value>) -> [(old: Int, new: Int)] {
    let byPlace = zip(old.indices, new.indices).map { (old: $0, new: $1) }
    guard !byPlace.isEmpty, max(old.count, new.count) > 1, old.count * new.count <= maxComparisons else {
      return byPlace
    }
    let oldParts = Array(old)
    let newParts = Array(new)
    let weights = oldParts.map { element in newParts.map { 1 + maxWeight * commonFields(element, $0) } }
    guard weights.contains(where: { $0.contains { $0 > 1 } }) else { return byPlace }
    var best = [[Int]](repeating: [Int](repeating: 0, count: newParts.count + 1), count: oldParts.count + 1)
    for i in oldParts.indices.reversed() {
      for j in newParts.indices.reversed() {
        best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + weights[i][j])
      }
    }
    var pairs: [(old: Int, new: Int)] = []
    var i = 0
    var j = 0
    while i < oldParts.count, j < newParts.count {
      if best[i][j] == best[i + 1][j + 1] + weights[i][j] {
        pairs.append((old: old.startIndex + i, new: new.startIndex + j))
        i += 1
        j += 1
      } else if best[i][j] == best[i + 1][j] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }

  private static let maxComparisons = 1 << 12
  /// The weight of an equal field: more than the number of pairs.
  private static let maxWeight = 1_000

  private static func commonFields(_ first: Value, _ second: Value) -> Int {
    guard case .map(let first) = first, case .map(let second) = second else { return 0 }
    return first.commonCount(with: second)
  }
}
