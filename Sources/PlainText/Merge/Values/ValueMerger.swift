/// Merges values recursively and records conflicts and decisions.
struct ValueMerger {
  struct Three {
    let base: Value?
    let ours: Value?
    let theirs: Value?

    init(_ base: Value?, _ ours: Value?, _ theirs: Value?) {
      self.base = base
      self.ours = ours
      self.theirs = theirs
    }
  }

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

  /// Deeper values are merged as a whole, so that the recursion is bounded.
  private static let maxDepth = 64

  init(rules: MergeRules) {
    self.rules = rules
  }

  mutating func merge(_ three: Three) -> Value? {
    if three.ours == three.theirs || three.theirs == three.base { return three.ours }
    if three.ours == three.base { return three.theirs }
    let names = steps.compactMap(\.name)
    let rule = names.isEmpty ? nil : rules[FieldPath(keys: names)]
    switch rule {
    case .ours?: return decide(three.ours)
    case .theirs?: return decide(three.theirs)
    default: break
    }
    guard let ours = three.ours, let theirs = three.theirs, steps.count < ValueMerger.maxDepth else { return conflict(three) }
    switch (ours, theirs) {
    case (.map(let own), .map(let other)): return mergeMaps(three.base?.fields ?? [:], own, other)
    case (.list(let own), .list(let other)): return mergeLists(three, three.base?.elements, own, other, rule) ?? conflict(three)
    default: break
    }
    if let chosen = ValueMerger.choose(ours, theirs, rule) { return decide(chosen) }
    if case .string(let own) = ours, case .string(let other) = theirs, case .string(let old)? = three.base {
      return mergeLines(old, own, other) ?? conflict(three)
    }
    return conflict(three)
  }

  private mutating func conflict(_ three: Three) -> Value? {
    conflicts.append(ValueMerge.Conflict(keys: keys, base: three.base, ours: three.ours, theirs: three.theirs))
    return three.ours
  }

  /// Records that a rule decided the current value.
  mutating func decide(_ value: Value?) -> Value? {
    decisions.append(ValueMerge.Decision(ours: steps.map(\.ours), theirs: steps.map(\.theirs), value: value))
    return value
  }

  mutating func forget(conflictsFrom conflictCount: Int, decisionsFrom decisionCount: Int) {
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

  mutating func merge(_ three: Three, at step: Step) -> Value? {
    steps.append(step)
    defer { steps.removeLast() }
    return merge(three)
  }
}

// MARK: Maps

extension ValueMerger {
  /// Merges two maps. Our keys come first, in our order; then the keys that they added, in theirs.
  private mutating func mergeMaps(_ base: Fields, _ ours: Fields, _ theirs: Fields) -> Value {
    var baseKeys = FieldIndex(base)
    var ourKeys = FieldIndex(ours)
    var theirKeys = FieldIndex(theirs)
    var merged: [(key: String, value: Value)] = []
    func value(_ fields: Fields, _ index: inout FieldIndex, _ key: String, _ hint: Int) -> Value? {
      index.place(of: key, near: hint).map { fields[$0].value }
    }
    for (place, field) in ours.enumerated() {
      let three = Three(value(base, &baseKeys, field.key, place), field.value, value(theirs, &theirKeys, field.key, place))
      if let value = merge(three, at: Step(key: field.key)) { merged.append((field.key, value)) }
    }
    for (place, field) in theirs.enumerated() where ourKeys.place(of: field.key, near: place) == nil {
      let three = Three(value(base, &baseKeys, field.key, place), nil, field.value)
      if let value = merge(three, at: Step(key: field.key)) { merged.append((field.key, value)) }
    }
    return .map(Fields(unique: merged))
  }
}

// MARK: Strings

extension ValueMerger {
  /// Merges strings by lines. Returns nil unless all of them have several lines.
  private mutating func mergeLines(_ base: String, _ ours: String, _ theirs: String) -> Value? {
    guard ours.utf8.contains(0x0A), theirs.utf8.contains(0x0A), base.utf8.contains(0x0A) else { return nil }
    let merge = SequenceMerge(base: TextLine.split(base), ours: TextLine.split(ours), theirs: TextLine.split(theirs))
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
      Three(Value(text: base), Value(text: TextLine.joined(sides.ours)), Value(text: TextLine.joined(sides.theirs))))
  }
}
