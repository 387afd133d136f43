struct ValueMerger {
  let rules: MergeRules
  var conflicts: [ValueMerge.Conflict] = []
  var decisions: [ValueMerge.Decision] = []
  private var steps: [Step] = []
  private var keys: [String] { steps.map(\.merged) }

  struct Step {
    let merged: String
    let ours: String
    let theirs: String
    /// The name in rules; nil for an element of a list.
    let name: String?

    init(key: String) {
      merged = key
      ours = key
      theirs = key
      name = key
    }

    init(element: Int, ours: Int, theirs: Int) {
      merged = String(element)
      self.ours = String(ours)
      self.theirs = String(theirs)
      name = nil
    }
  }

  /// Deeper values are merged as single values, so that the recursion is bounded.
  private static let maxDepth = 64

  init(rules: MergeRules) {
    self.rules = rules
  }

  mutating func merge(_ versions: Versions<Value?>) -> Value? {
    if versions.ours == versions.theirs || versions.theirs == versions.base { return versions.ours }
    if versions.ours == versions.base { return versions.theirs }
    let names = steps.compactMap(\.name)
    let rule = names.isEmpty ? nil : rules[FieldPath(keys: names)]
    switch rule {
    case .ours?: return decide(versions.ours)
    case .theirs?: return decide(versions.theirs)
    default: break
    }
    guard let ours = versions.ours, let theirs = versions.theirs, steps.count < ValueMerger.maxDepth else {
      return conflict(versions)
    }
    switch (ours, theirs) {
    case (.map(let own), .map(let other)): return mergeMaps(versions.base?.fields ?? [:], own, other)
    case (.list(let own), .list(let other)):
      return mergeLists(versions.base?.elements, own, other, rule) ?? conflict(versions)
    default: break
    }
    if let chosen = ValueMerger.choose(ours, theirs, rule) { return decide(chosen) }
    if case .string(let own) = ours, case .string(let other) = theirs, case .string(let old)? = versions.base
    {
      return mergeLines(old, own, other) ?? conflict(versions)
    }
    return conflict(versions)
  }

  private mutating func conflict(_ versions: Versions<Value?>) -> Value? {
    conflicts.append(
      ValueMerge.Conflict(keys: keys, base: versions.base, ours: versions.ours, theirs: versions.theirs))
    return versions.ours
  }

  mutating func decide(_ value: Value?) -> Value? {
    decisions.append((ours: steps.map(\.ours), theirs: steps.map(\.theirs), value: value))
    return value
  }

  /// Chooses by `max` or `min`; nil for other rules and for values of different kinds.
  private static func choose(_ ours: Value, _ theirs: Value, _ rule: MergeRules.Rule?) -> Value? {
    guard rule == .max || rule == .min else { return nil }
    switch (ours, theirs) {
    case (.number, .number), (.date, .date), (.string, .string), (.bool, .bool): break
    default: return nil
    }
    let order = ValueOrder.compare(ours, theirs, exact: true)
    if order == 0 { return nil }
    return (order > 0) == (rule == .max) ? ours : theirs
  }

  /// Merges a part of the current value, which may be in conflict although only one side has it.
  mutating func merge(_ versions: Versions<Value?>, at step: Step, isConflict: Bool = false) -> Value? {
    steps.append(step)
    defer { steps.removeLast() }
    return isConflict ? conflict(versions) : merge(versions)
  }

  /// Merges two maps. Our keys come first, in our order; then the keys that they added, in theirs.
  /// A key that both sides renamed differently is in conflict under both new names.
  private mutating func mergeMaps(_ base: Fields, _ ours: Fields, _ theirs: Fields) -> Value {
    var baseKeys = FieldIndex(base)
    var ourKeys = FieldIndex(ours)
    var theirKeys = FieldIndex(theirs)
    let renames = DivergingRenames(base: base, ours: ours, theirs: theirs)
    var merged: [(key: String, value: Value)] = []
    for (place, field) in ours.enumerated() {
      let versions = Versions<Value?>(
        baseKeys.value(of: field.key, near: place), field.value, theirKeys.value(of: field.key, near: place))
      let isRename = renames.ours.contains(ExactString(field.key))
      if let value = merge(versions, at: Step(key: field.key), isConflict: isRename) {
        merged.append((field.key, value))
      }
    }
    for (place, field) in theirs.enumerated() where ourKeys.place(of: field.key, near: place) == nil {
      let versions = Versions<Value?>(baseKeys.value(of: field.key, near: place), nil, field.value)
      let isRename = renames.theirs.contains(ExactString(field.key))
      if let value = merge(versions, at: Step(key: field.key), isConflict: isRename) {
        merged.append((field.key, value))
      }
    }
    return .map(Fields(unique: merged))
  }

  private mutating func mergeLines(_ base: String, _ ours: String, _ theirs: String) -> Value? {
    guard ours.utf8.contains(0x0A), theirs.utf8.contains(0x0A), base.utf8.contains(0x0A) else { return nil }
    let chunks = SequenceMerge(Versions(base, ours, theirs).map(TextLine.split)).gitChunks
    if let lines = chunks.settled { return Value(text: TextLine.joined(lines)) }
    return conflict(
      Versions<Value?>(
        Value(text: base), Value(text: TextLine.joined(chunks.ours)),
        Value(text: TextLine.joined(chunks.theirs))))
  }
}

/// The new keys of two versions of a map under which both sides continue the same key of the base: a merge
/// of both would have the field twice.
///
/// A side renamed a key if it removed it and has a new key with the same value, or in the same place:
/// between the nearest other keys of the base. Linear: equal values and equal places are handled once.
private struct DivergingRenames {
  private(set) var ours: Set<ExactString> = []
  private(set) var theirs: Set<ExactString> = []

  init(base: Fields, ours own: Fields, theirs other: Fields) {
    var ownIndex = FieldIndex(own)
    var otherIndex = FieldIndex(other)
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
    ours = sides.ours.marked
    theirs = sides.theirs.marked
  }

  private struct Side {
    private let fields: Fields
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
