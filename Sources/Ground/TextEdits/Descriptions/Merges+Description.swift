import Values

// The lines that merges print as.

extension MergeRules: CustomStringConvertible {
  /// The rules with their fields: `rating: max, tags: union`.
  public var description: String { ruleTexts.isEmpty ? "no rules" : ruleTexts.joined(separator: ", ") }
}

extension MergeRules.Rule: CustomStringConvertible {
  /// The name of the rule, such as `union` or `keyed by id`.
  public var description: String {
    switch self {
    case .max: "max"
    case .min: "min"
    case .union: "union"
    case .ours: "ours"
    case .theirs: "theirs"
    case .set: "set"
    case .keyed(let key): "keyed by \(key)"
    case .ordered: "ordered"
    }
  }
}

extension TextMerge: CustomStringConvertible {
  /// The size of the result and its conflicts: `42 bytes, conflicts at /name`.
  public var description: String {
    let places = conflicts.map { FieldPath.pointer(to: $0.keys) }
    let state =
      !isConflicted
      ? "no conflicts" : places.isEmpty ? "conflicts" : "conflicts at \(places.joined(separator: ", "))"
    return "\(bytes.count) bytes, \(state)"
  }
}

extension TextMerge.Markers: CustomStringConvertible {
  /// The names of the two sides: `ours and theirs, 7 characters`.
  public var description: String { "\(ours) and \(theirs), \(size) characters" }
}

extension ValueMerge: CustomStringConvertible {
  /// The result as JSON, and its conflicts.
  public var description: String {
    let result = value?.description ?? "nothing"
    return conflicts.isEmpty
      ? result : "\(result), conflicts: \(conflicts.map(\.description).joined(separator: "; "))"
  }
}

extension ValueMerge.Conflict: CustomStringConvertible {
  /// The place and the three values: `/name: "Ada" became "A." and "Ada L."`.
  public var description: String {
    let texts = [base, ours, theirs].map { $0?.description ?? "nothing" }
    return "\(FieldPath.pointer(to: keys)): \(texts[0]) became \(texts[1]) and \(texts[2])"
  }
}
