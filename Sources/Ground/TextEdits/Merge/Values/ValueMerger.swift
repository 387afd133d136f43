import Values

/// Merges values recursively and records conflicts and decisions.
struct ValueMerger {
  let rules: MergeRules
  private(set) var conflicts: [ValueMerge.Conflict] = []
  private(set) var decisions: [ValueMerge.Decision] = []
  /// The path to the value that is being merged.
  private var steps: [Step] = []
  private var keys: [String] { steps.map(\.merged) }

  /// One key of a path: in the merged value, in both sides, and as rules name it.
  struct Step {
    let merged: String
    let ours: String
    let theirs: String
    /// The name in rules; nil for an element of a list.
    let name: String?

    init(key: String) { (merged, ours, theirs, name) = (key, key, key, key) }

    init(element: Int, ours: Int, theirs: Int) {
      (merged, self.ours, self.theirs, name) = (String(element), String(ours), String(theirs), nil)
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

  /// Records that a rule decided the current value.
  mutating func decide(_ value: Value?) -> Value? {
    decisions.append(ValueMerge.Decision(ours: steps.map(\.ours), theirs: steps.map(\.theirs), value: value))
    return value
  }

  mutating func discard(conflictsFrom conflictCount: Int, decisionsFrom decisionCount: Int) {
    conflicts.removeSubrange(conflictCount...)
    decisions.removeSubrange(decisionCount...)
  }

  /// Chooses a value by the rules `max` and `min`; nil for other rules and for values of different
  /// kinds.
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

  /// Merges a part of the current value.
  ///
  /// - Parameter isConflict: True if the part is in conflict although only one side has it.
  mutating func merge(_ versions: Versions<Value?>, at step: Step, isConflict: Bool = false) -> Value? {
    steps.append(step)
    defer { steps.removeLast() }
    return isConflict ? conflict(versions) : merge(versions)
  }
}

// MARK: Maps

extension ValueMerger {
  /// Merges two maps. Our keys come first, in our order; then the keys that they added, in theirs.
  /// A key that both sides renamed differently is in conflict under both new names.
  private mutating func mergeMaps(_ base: Fields, _ ours: Fields, _ theirs: Fields) -> Value {
    var baseKeys = FieldIndex(base)
    var ourKeys = FieldIndex(ours)
    var theirKeys = FieldIndex(theirs)
    let renames = DivergingRenames(base: base, ours: ours, theirs: theirs)
    var merged: [(key: String, value: Value)] = []
    func value(_ fields: Fields, _ index: inout FieldIndex, _ key: String, _ hint: Int) -> Value? {
      index.place(of: key, near: hint).map { fields[$0].value }
    }
    for (place, field) in ours.enumerated() {
      let versions = Versions<Value?>(
        value(base, &baseKeys, field.key, place), field.value, value(theirs, &theirKeys, field.key, place))
      let isRename = renames.ours.contains(ExactString(field.key))
      if let value = merge(versions, at: Step(key: field.key), isConflict: isRename) {
        merged.append((field.key, value))
      }
    }
    for (place, field) in theirs.enumerated() where ourKeys.place(of: field.key, near: place) == nil {
      let versions = Versions<Value?>(value(base, &baseKeys, field.key, place), nil, field.value)
      let isRename = renames.theirs.contains(ExactString(field.key))
      if let value = merge(versions, at: Step(key: field.key), isConflict: isRename) {
        merged.append((field.key, value))
      }
    }
    return .map(Fields(unique: merged))
  }
}

// MARK: Strings

extension ValueMerger {
  /// Merges strings by lines. Returns nil unless all of them have several lines.
  private mutating func mergeLines(_ base: String, _ ours: String, _ theirs: String) -> Value? {
    guard ours.utf8.contains(0x0A), theirs.utf8.contains(0x0A), base.utf8.contains(0x0A) else { return nil }
    let merge = SequenceMerge(
      base: TextLine.split(base), ours: TextLine.split(ours), theirs: TextLine.split(theirs))
    if let lines = merge.settled { return Value(text: TextLine.joined(lines)) }
    var sides = (ours: [TextLine](), theirs: [TextLine]())
    for chunk in merge.chunks {
      switch chunk {
      case .settled(let lines):
        sides.ours += lines
        sides.theirs += lines
      case .open(_, let own, let other):
        sides.ours += own
        sides.theirs += other
      }
    }
    return conflict(
      Versions<Value?>(
        Value(text: base), Value(text: TextLine.joined(sides.ours)),
        Value(text: TextLine.joined(sides.theirs))))
  }
}
