import Values

/// The operator between the two sides of a comparison.
enum PredicateOperator: Sendable {
  case equal
  case notEqual
  case ordered(PredicateTest.Relation)
  case between
  case isIn
  case contains
  case text(PredicateTextOperator)
  case matches

  /// Creates the operator that a token names; nil if it names none.
  init?(_ token: PredicateToken) {
    switch token.kind {
    case .symbol(.equal), .symbol(.singleEqual): self = .equal
    case .symbol(.notEqual), .symbol(.lessOrGreater): self = .notEqual
    case .symbol(.less): self = .ordered(.less)
    case .symbol(.lessOrEqual), .symbol(.equalOrLess): self = .ordered(.lessOrEqual)
    case .symbol(.greater): self = .ordered(.greater)
    case .symbol(.greaterOrEqual), .symbol(.equalOrGreater): self = .ordered(.greaterOrEqual)
    default:
      switch token.keyword {
      case .between: self = .between
      case .in: self = .isIn
      case .contains: self = .contains
      case .beginsWith: self = .text(.beginsWith)
      case .endsWith: self = .text(.endsWith)
      case .like: self = .text(.like)
      case .matches: self = .matches
      default: return nil
      }
    }
  }

  /// True if a string or a pattern is expected on the right.
  var expectsString: Bool {
    switch self {
    case .text, .matches: true
    case .equal, .notEqual, .ordered, .between, .isIn, .contains: false
    }
  }

  /// True if an interpolated range can be on the right of this operator.
  var takesRange: Bool {
    switch self {
    case .between, .isIn: true
    case .equal, .notEqual, .ordered, .contains, .text, .matches: false
    }
  }

  /// The expected right side, for messages.
  var expected: String {
    switch self {
    case .equal, .notEqual, .ordered, .contains: "a value or a field"
    case .between: "two values in braces, as in {1, 5},"
    case .isIn: "a list in braces, as in {1, 5}, or the field of one"
    case .text: "a string in quotes, or a field,"
    case .matches: "a regular expression in quotes"
    }
  }

  /// Advice for a right side that is not accepted: how to write it as a string, if that is what the
  /// operator expects.
  func hint(for written: String) -> String {
    switch self {
    case .text, .matches:
      written.contains(where: "{(\"'".contains) ? "" : "; for a string, write \"\(written)\""
    default: ""
    }
  }

  /// Returns true if the operand can be on the right of this operator.
  func accepts(_ operand: PredicateOperand) -> Bool {
    switch (self, operand) {
    case (.between, .value(.list(let elements))): elements.count == 2
    case (.between, .list(let elements)): elements.count == 2
    case (_, .range): false
    case (.between, .path), (.isIn, .path), (.text, .path): true
    case (.isIn, .value(.list)), (.isIn, .list), (.isIn, .value(.string)), (.isIn, .value(.date)): true
    case (.text, .value(.string)), (.text, .value(.date)), (.matches, .value(.string)),
      (.matches, .value(.date)):
      true
    case (.between, _), (.isIn, _), (.text, _), (.matches, _): false
    case (.equal, _), (.notEqual, _), (.ordered, _), (.contains, _): true
    }
  }
}
