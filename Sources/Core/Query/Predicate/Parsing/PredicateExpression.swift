import Values

/// A predicate as a tree. A chain of ANDs or ORs is one node, so the depth is that of the
/// parentheses, which the parser bounds.
indirect enum PredicateExpression: Sendable {
  case constant(Bool)
  case comparison(PredicateComparison)
  case not(PredicateExpression)
  case and([PredicateExpression])
  case or([PredicateExpression])
}

/// A test of one value of an item, or of each element of a list.
struct PredicateComparison {
  enum Quantifier {
    case any
    case all
    case none

    var keyword: String {
      switch self {
      case .any: "ANY"
      case .all: "ALL"
      case .none: "NONE"
      }
    }
  }

  let quantifier: Quantifier?
  let left: PredicateOperand
  let test: PredicateTest
  struct Written {
    /// The offset of the comparison in the predicate, in Unicode scalars.
    var start = 0
    var left = ""
    var sign = ""
    var right = ""
    /// The fields that are a single word without backquotes, if there is a field on each side. One of
    /// them may be meant as a string.
    var words: [BareWord] = []
    /// The end of the comparison, if there are such words.
    var end = 0
  }

  /// A field that is a single word without backquotes. Its range is in Unicode scalars.
  typealias BareWord = (key: String, range: Range<Int>, isOnLeft: Bool)

  let text: Written

  init(
    _ quantifier: Quantifier?, _ left: PredicateOperand, _ test: PredicateTest, _ text: Written = Written()
  ) {
    self.quantifier = quantifier
    self.left = left
    self.test = test
    self.text = text
  }
}

enum PredicateTest {
  enum Relation {
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual

    func holds(_ order: Int) -> Bool {
      switch self {
      case .less: order < 0
      case .lessOrEqual: order <= 0
      case .greater: order > 0
      case .greaterOrEqual: order >= 0
      }
    }
  }

  /// A path without an operator: the value must be true.
  case isTrue
  case compare(PredicateOperator, PredicateOperand, Folding)
  /// IN with a list of constants, as a hash table of their keys. The operand is the same list.
  case isAmong(Set<SortKey>, PredicateOperand, Folding)
  /// A string operator whose right side is a constant.
  case text(PredicateTextTest)
  /// A predicate about an element, in parentheses.
  case element(PredicateExpression)
  /// A scalar of `@text` contains the pattern, or a word of one begins with it.
  case words(FoldedPattern, areBegun: Bool)
}

indirect enum PredicateOperand: Sendable, Hashable {
  case value(Value)
  /// A day in the local calendar.
  case today(DayOffset)
  case path(FieldPath)
  /// `SELF`: the element that a predicate in parentheses tests.
  case element
  /// `@text`: the id and all scalars of an item as a search sees them, or all scalars below a field.
  case text(below: FieldPath?)
  case list([PredicateOperand])
  /// An interpolated range, on the right of IN or BETWEEN.
  case range(PredicateOperand, PredicateOperand, isClosed: Bool)

  /// Creates one value if all elements are constants, otherwise a list of operands.
  init(elements: [PredicateOperand]) {
    var values: [Value] = []
    for element in elements {
      guard case .value(let value) = element else {
        self = .list(elements)
        return
      }
      values.append(value)
    }
    self = .value(.list(values))
  }
}

extension PredicateExpression {
  /// Calls `body` with each operand, and the keys of the list whose elements it belongs to.
  func forEachOperand(below keys: [String] = [], _ body: (PredicateOperand, [String]) -> Void) {
    switch self {
    case .constant: break
    case .comparison(let comparison):
      comparison.left.forEach { body($0, keys) }
      if case .element(let expression) = comparison.test {
        expression.forEachOperand(below: keys + comparison.left.keys, body)
      }
      comparison.test.operand?.forEach { body($0, keys) }
    case .not(let expression): expression.forEachOperand(below: keys, body)
    case .and(let terms), .or(let terms): for term in terms { term.forEachOperand(below: keys, body) }
    }
  }
}

extension PredicateTest {
  var operand: PredicateOperand? {
    switch self {
    case .isTrue, .text, .element, .words: nil
    case .compare(_, let operand, _), .isAmong(_, let operand, _): operand
    }
  }
}

extension PredicateOperand {
  /// The keys of a path, without places and operators.
  var keys: [String] {
    guard case .path(let path) = self else { return [] }
    return path.steps.compactMap { if case .key(let key) = $0 { key } else { nil } }
  }

  /// True if this is a field, or the element that is tested.
  var isField: Bool {
    switch self {
    case .path, .element: true
    case .value, .today, .text, .list, .range: false
    }
  }

  /// The fields in this operand: itself, or those in braces.
  var fields: [PredicateOperand] {
    var fields: [PredicateOperand] = []
    forEach { if $0.isField { fields.append($0) } }
    return fields
  }

  func forEach(_ body: (PredicateOperand) -> Void) {
    body(self)
    switch self {
    case .list(let elements): for element in elements { element.forEach(body) }
    case .range(let lower, let upper, _): for bound in [lower, upper] { bound.forEach(body) }
    case .text(below: let path?): body(.path(path))
    case .text, .value, .today, .path, .element: break
    }
  }

  var hasRange: Bool {
    switch self {
    case .range: true
    case .list(let elements): elements.contains(where: \.hasRange)
    case .value, .today, .text, .path, .element: false
    }
  }
}

/// The operator between the two sides of a comparison.
enum PredicateOperator {
  case equal
  case notEqual
  case ordered(PredicateTest.Relation)
  case between
  case isIn
  case contains
  case text(PredicateTextOperator)
  case matches

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

  var expected: String {
    switch self {
    case .equal, .notEqual, .ordered, .contains: "a value or a field"
    case .between: "two values in braces, as in {1, 5},"
    case .isIn: "a list in braces, as in {1, 5}, or the field of one"
    case .text: "a string in quotes, or a field,"
    case .matches: "a regular expression in quotes"
    }
  }

  /// Says how to write a refused right side as a string, if the operator expects one.
  func hint(for written: String) -> String {
    switch self {
    case .text, .matches:
      written.contains(where: "{(\"'".contains) ? "" : "; for a string, write \"\(written)\""
    default: ""
    }
  }

  func accepts(_ operand: PredicateOperand) -> Bool {
    switch (self, operand) {
    case (.between, .value(.list(let elements))): elements.count == 2
    case (.between, .list(let elements)): elements.count == 2
    case (_, .range): takesRange
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
