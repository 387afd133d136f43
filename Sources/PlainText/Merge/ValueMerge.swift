/// The three-way merge of values, field by field.
///
/// ```swift
/// let merge = ValueMerge(base: base, ours: ours, theirs: theirs, rules: rules)
/// merge.value      // with ours where the sides are in conflict
/// merge.conflicts  // the smallest values that both sides changed, and not to the same
/// ```
///
/// What one side changed and the other left alone is taken, whatever the rules say. Maps are merged by key; lists in order (and a map in one where a field that nobody
/// changed names it, in all three versions), as sets, or by a
/// key; texts of several lines by lines. Everything else that both sides changed is a conflict, a value that one side changed and the other took
/// out among them: nothing is lost in silence.
public struct ValueMerge: Sendable {
  /// Nil where both sides took it out.
  public let value: Value?
  public let conflicts: [Conflict]

  public struct Conflict: Sendable, Hashable {
    /// In the merged value; where ours took a key out, it is not there. Empty for the whole value.
    public let keys: [String]
    public let base: Value?
    /// Of a text that is merged by lines: with our lines where the sides are in conflict. Nil where the key was taken out.
    public let ours: Value?
    public let theirs: Value?
  }

  public init(base: Value?, ours: Value?, theirs: Value?, rules: MergeRules = MergeRules()) {
    var merger = ValueMerger(rules: rules)
    value = merger.merge(ValueMerger.Three(base, ours, theirs))
    conflicts = merger.conflicts
  }
}

/// Merges on the way down, and notes where the sides are in conflict.
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
  /// In the merged value, and as rules name it: without the numbers of elements.
  private var keys: [String] = []
  private var names: [String] = []

  /// What lies deeper is merged as a whole: recursion is bounded.
  private static let deepest = 64

  init(rules: MergeRules) {
    self.rules = rules
  }

  mutating func merge(_ three: Three) -> Value? {
    if three.ours == three.theirs || three.theirs == three.base { return three.ours }
    if three.ours == three.base { return three.theirs }
    let rule = names.isEmpty ? nil : rules[FieldPath(keys: names)]
    switch rule {
    case .ours?: return three.ours
    case .theirs?: return three.theirs
    default: break
    }
    guard let ours = three.ours, let theirs = three.theirs, keys.count < ValueMerger.deepest else { return conflict(three) }
    switch (ours, theirs) {
    case (.map(let own), .map(let other)): return mergeMaps(three.base?.fields ?? [:], own, other)
    case (.list(let own), .list(let other)): return mergeLists(three, three.base?.elements, own, other, rule) ?? conflict(three)
    default: break
    }
    if let chosen = ValueMerger.choose(ours, theirs, rule) { return chosen }
    if case .string(let own) = ours, case .string(let other) = theirs, case .string(let old)? = three.base {
      return mergeLines(old, own, other) ?? conflict(three)
    }
    return conflict(three)
  }

  private mutating func conflict(_ three: Three) -> Value? {
    conflicts.append(ValueMerge.Conflict(keys: keys, base: three.base, ours: three.ours, theirs: three.theirs))
    return three.ours
  }

  mutating func forgetConflicts(from count: Int) { conflicts.removeSubrange(count...) }

  /// By `max` and `min`.
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

  /// `name`: what rules call it; nil for an element of a list.
  mutating func merge(_ three: Three, at key: String, named name: String?) -> Value? {
    keys.append(key)
    if let name { names.append(name) }
    defer {
      keys.removeLast()
      if name != nil { names.removeLast() }
    }
    return merge(three)
  }
}

// MARK: Maps

extension ValueMerger {
  /// In our order; what they added comes behind, in theirs.
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
      if let value = merge(three, at: field.key, named: field.key) { merged.append((field.key, value)) }
    }
    for (place, field) in theirs.enumerated() where ourKeys.place(of: field.key, near: place) == nil {
      let three = Three(value(base, &baseKeys, field.key, place), nil, field.value)
      if let value = merge(three, at: field.key, named: field.key) { merged.append((field.key, value)) }
    }
    return .map(Fields(unique: merged))
  }
}

// MARK: Texts

extension ValueMerger {
  /// By lines, where one of the texts has several. Nil where none has.
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

/// A line with its break, compared byte for byte.
struct TextLine: Hashable {
  let bytes: [UInt8]

  static func split(_ text: String) -> [TextLine] { split(Array(text.utf8)) }

  /// At LF: what ends with CRLF keeps both.
  static func split(_ bytes: [UInt8]) -> [TextLine] {
    var lines: [TextLine] = []
    var start = 0
    for index in bytes.indices where bytes[index] == 0x0A {
      lines.append(TextLine(bytes: Array(bytes[start...index])))
      start = index + 1
    }
    if start < bytes.count { lines.append(TextLine(bytes: Array(bytes[start...]))) }
    return lines
  }

  static func joined(_ lines: [TextLine]) -> String { String(decoding: lines.flatMap(\.bytes), as: UTF8.self) }
}

extension Value {
  package var fields: Fields? { if case .map(let fields) = self { fields } else { nil } }
  var elements: [Value]? { if case .list(let elements) = self { elements } else { nil } }
}
