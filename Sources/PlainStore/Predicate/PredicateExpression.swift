import PlainText

/// A predicate as a tree. Chains of AND and of OR are one node each, so that its depth is that of the parentheses, which the parser bounds.
indirect enum PredicateExpression: Sendable {
  case constant(Bool)
  case comparison(PredicateComparison)
  case not(PredicateExpression)
  case and([PredicateExpression])
  case or([PredicateExpression])
}

/// One value of an item, or each of a list of them, and a test.
struct PredicateComparison: Sendable {
  enum Quantifier: Sendable {
    case any
    case all
    case none
  }

  let quantifier: Quantifier?
  let left: PredicateOperand
  let test: PredicateTest
}

enum PredicateTest: Sendable {
  /// A key path on its own: whether the value is true.
  case isTrue
  case equal(PredicateOperand, Folding)
  case notEqual(PredicateOperand, Folding)
  case ordered(PredicateRelation, PredicateOperand, Folding)
  case between(PredicateOperand, Folding)
  case isIn(PredicateOperand, Folding)
  /// IN where all of the list is known. The operand is the same list.
  case isAmong(ValueSet, PredicateOperand, Folding)
  case contains(PredicateOperand, Folding)
  case text(PredicateTextTest)
  /// A text operator whose right side is another field.
  case fieldText(PredicateTextOperator, PredicateOperand, Folding)
}

enum PredicateRelation: Sendable {
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

/// One side of a comparison.
indirect enum PredicateOperand: Sendable {
  case value(Value)
  case today
  case path(FieldPath)
  case list([PredicateOperand])
}

extension PredicateExpression {
  /// Calls `body` with each operand of the tree.
  func forEachOperand(_ body: (PredicateOperand) -> Void) {
    switch self {
    case .constant: break
    case .comparison(let comparison):
      comparison.left.forEach(body)
      comparison.test.operand?.forEach(body)
    case .not(let expression): expression.forEachOperand(body)
    case .and(let terms), .or(let terms): for term in terms { term.forEachOperand(body) }
    }
  }
}

extension PredicateTest {
  var operand: PredicateOperand? {
    switch self {
    case .isTrue, .text: nil
    case .equal(let operand, _), .notEqual(let operand, _), .between(let operand, _), .isIn(let operand, _), .contains(let operand, _):
      operand
    case .ordered(_, let operand, _), .fieldText(_, let operand, _), .isAmong(_, let operand, _): operand
    }
  }
}

extension PredicateOperand {
  fileprivate func forEach(_ body: (PredicateOperand) -> Void) {
    body(self)
    if case .list(let elements) = self { for element in elements { element.forEach(body) } }
  }
}
