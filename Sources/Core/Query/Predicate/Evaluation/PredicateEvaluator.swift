import Values

/// Evaluates an expression for one item, with the three values of SQL: nil is unknown.
///
/// Only a comparison of two fields is unknown: if one of them is missing or null. NOT of it is
/// unknown, too. A comparison with a value is always true or false.
struct PredicateEvaluator<Source: FieldSource> {
  let source: Source
  let context: PredicateContext
  let allowance: MatchAllowance

  func holds(_ expression: PredicateExpression) -> Bool? {
    switch expression {
    case .constant(let flag): flag
    case .comparison(let comparison): holds(comparison)
    case .not(let expression): holds(expression).map { !$0 }
    case .and(let terms): terms.allHold(holds)
    case .or(let terms): terms.anyHolds(holds)
    }
  }

  private func holds(_ comparison: PredicateComparison) -> Bool? {
    let left = resolve(comparison.left)
    guard let quantifier = comparison.quantifier else {
      return passes(left, comparison.test, of: comparison.left)
    }
    // A missing list has no elements, but beside another field it is unknown, as in SQL.
    if left.isMissing, comparison.test.operand != nil,
      passes(left, comparison.test, of: comparison.left) == nil
    {
      return nil
    }
    let elements = elements(of: left, flat: isFlat(comparison.test))
    let test = prepared(comparison.test, for: elements.count)
    switch quantifier {
    case .any: return elements.anyHolds { passes($0, test, of: comparison.left) }
    case .all: return elements.allHold { passes($0, test, of: comparison.left) }
    case .none: return elements.anyHolds { passes($0, test, of: comparison.left) }.map { !$0 }
    }
  }

  /// The list of another field becomes a hash table if many elements are to be found in it.
  func prepared(_ test: PredicateTest, for count: Int) -> PredicateTest {
    guard count > Self.fewElements, case .compare(.isIn, let right, let folding) = test,
      let list = resolve(right).list, list.count > Self.fewElements
    else { return test }
    var values: [Value?] = []
    for element in list {
      // A day equals many dates, so it has no single key. A field may be unknown.
      guard case .value(let value, isField: false) = element else { return test }
      values.append(value)
    }
    return .isAmong(Set(values.map { SortKey(equalTo: $0, folding) }), right, folding)
  }

  /// The number of elements up to which comparing all pairs costs no more than a hash table.
  private static var fewElements: Int { 8 }

  func resolve(_ operand: PredicateOperand) -> ResolvedOperand {
    switch operand {
    case .value(let value): .value(value)
    case .today(let offset): .day(offset.applied(to: context.today))
    case .element: .value((source as? ElementSource)?.element, isField: true)
    case .path(let path), .text(below: let path?): .value(source.value(at: path), isField: true)
    case .text: .value(nil)
    case .list(let elements): .list(elements.map(resolve))
    case .range(let lower, let upper, _): .list([resolve(lower), resolve(upper)])
    }
  }

  /// A scalar or a map is a list of one element, null an empty list.
  func elements(of operand: ResolvedOperand, flat: Bool) -> [ResolvedOperand] {
    switch operand {
    case .value(nil, _), .value(.null, _): []
    case .value(.list(let elements), let isField):
      elements.flatMap { element -> [ResolvedOperand] in
        let element = ResolvedOperand.value(element, isField: isField)
        return if flat, case .value(.list, _) = element { self.elements(of: element, flat: true) } else {
          [element]
        }
      }
    case .list(let elements): elements
    default: [operand]
    }
  }

  /// True if lists in the list are flattened, as for `releases.tags`: unless the test is one for lists.
  func isFlat(_ test: PredicateTest) -> Bool {
    switch test {
    case .compare(.contains, _, _): false
    case .compare(.equal, let right, _), .compare(.notEqual, let right, _): resolve(right).list == nil
    default: true
    }
  }

  /// Returns nil if it is unknown whether the value, an element of `list`, passes.
  func passes(_ left: ResolvedOperand, _ test: PredicateTest, of list: PredicateOperand) -> Bool? {
    switch test {
    case .isTrue: return left.value == .bool(true)
    case .element(let expression):
      guard let element = left.value else { return false }
      let source = ElementSource(element, of: source, at: list)
      return PredicateEvaluator<ElementSource>(source: source, context: context, allowance: allowance).holds(
        expression)
    case .compare(let sign, let right, let folding): return passes(left, sign, right, folding)
    case .isAmong(let keys, let right, let folding):
      guard case .value(let value, _) = left else { return contains(resolve(right), left, folding) }
      return left.isMissing && right.isField ? nil : keys.contains(SortKey(equalTo: value, folding))
    case .text(let test): return test.holds(left.value)
    case .words(let pattern, let areBegun):
      var text = FoldedText(pattern.folding)
      if case .text(below: nil) = list {
        source.appendTexts(to: &text)
      } else {
        left.value?.appendTexts(to: &text)
      }
      return !text.isEmpty && (areBegun ? text.hasWord(beginningWith: pattern) : text.contains(pattern))
    }
  }

  private func passes(
    _ left: ResolvedOperand, _ sign: PredicateOperator, _ operand: PredicateOperand, _ folding: Folding
  ) -> Bool? {
    let right = resolve(operand)
    switch sign {
    case .equal: return isEqual(left, right, folding)
    case .notEqual: return isEqual(left, right, folding).map { !$0 }
    case .ordered(let relation): return isOrdered(left, relation, right, folding)
    case .between: return isBetween(left, right, of: operand, folding)
    case .isIn: return contains(right, left, folding)
    case .contains: return contains(left, right, folding)
    case .text(let kind):
      return left.isUnknown(beside: right) ? nil : hasText(left.value, kind, right.value, folding)
    // The parser makes it a test with a constant.
    case .matches: return false
    }
  }

  private func isEqual(_ a: ResolvedOperand, _ b: ResolvedOperand, _ folding: Folding) -> Bool? {
    if a.isUnknown(beside: b) { return nil }
    switch (a, b) {
    case (.day(let a), .day(let b)): return a == b
    case (.day(let day), .value(.date(let date), _)), (.value(.date(let date), _), .day(let day)):
      return context.day(of: date) == day
    case (.value(.string(let a), _), .value(.string(let b), _)) where !folding.isEmpty:
      return folding.folded(a) == folding.folded(b)
    case (.value(let a, _), .value(let b, _)) where a?.isScalar ?? true:
      return ValueOrder.compare(a, b, exact: true) == 0
    default:
      guard let a = a.list, let b = b.list else {
        return a.value.map { ValueOrder.compare($0, b.value, exact: true) == 0 } ?? false
      }
      return a.count == b.count ? zip(a, b).allHold { isEqual($0, $1, folding) } : false
    }
  }

  private func isOrdered(
    _ a: ResolvedOperand, _ relation: PredicateTest.Relation, _ b: ResolvedOperand, _ folding: Folding
  ) -> Bool? {
    if a.isUnknown(beside: b) { return nil }
    return order(a, b, folding).map(relation.holds) ?? false
  }

  /// Returns nil if there is no order: between types, and for null, lists, maps and `.nan`.
  private func order(_ a: ResolvedOperand, _ b: ResolvedOperand, _ folding: Folding) -> Int? {
    switch (a, b) {
    case (.day(let a), .day(let b)): (a > b ? 1 : 0) - (a < b ? 1 : 0)
    case (.day(let day), .value(.date(let date), _)):
      order(.day(day), .day(context.day(of: date)), folding)
    case (.value(.date, _), .day): order(b, a, folding).map { -$0 }
    case (.value(.number(let a), _), .value(.number(let b), _)):
      a.doubleValue.isNaN || b.doubleValue.isNaN ? nil : ValueOrder.compare(.number(a), .number(b))
    case (.value(.string(let a), _), .value(.string(let b), _)) where !folding.isEmpty:
      ValueOrder.compareNatural(folding.folded(a), folding.folded(b))
    case (.value(.string(let a), _), .value(.string(let b), _)): ValueOrder.compare(a, b)
    case (.value(.date(let a)?, _), .value(.date(let b)?, _)): ValueOrder.compare(.date(a), .date(b))
    case (.value(.bool(let a)?, _), .value(.bool(let b)?, _)): ValueOrder.compare(.bool(a), .bool(b))
    default: nil
    }
  }

  private func isBetween(
    _ value: ResolvedOperand, _ range: ResolvedOperand, of operand: PredicateOperand, _ folding: Folding
  ) -> Bool? {
    if value.isUnknown(beside: range) { return nil }
    guard let bounds = range.list, bounds.count == 2 else { return false }
    let upper: PredicateTest.Relation =
      if case .range(_, _, isClosed: false) = operand { .less } else { .lessOrEqual }
    let isAbove = isOrdered(value, .greaterOrEqual, bounds[0], folding)
    if isAbove == false { return false }
    let isBelow = isOrdered(value, upper, bounds[1], folding)
    return isBelow == false ? false : isAbove.flatMap { _ in isBelow }
  }

  /// Returns true if a list contains an element, or if a string contains another string.
  private func contains(_ whole: ResolvedOperand, _ part: ResolvedOperand, _ folding: Folding) -> Bool? {
    if whole.isUnknown(beside: part) { return nil }
    if let elements = whole.list { return elements.anyHolds { isEqual($0, part, folding) } }
    return hasText(whole.value, .contains, part.value, folding)
  }

  private func hasText(_ text: Value?, _ kind: PredicateTextOperator, _ pattern: Value?, _ folding: Folding)
    -> Bool
  {
    switch pattern {
    case .string(let pattern): PredicateTextTest(kind, pattern, folding, allowance).holds(text)
    case .date(let pattern): PredicateTextTest(kind, pattern.text, folding, allowance).holds(text)
    default: false
    }
  }
}

enum ResolvedOperand {
  /// A value. It is that of a field, or a constant; an element of a field's list is a constant
  /// unless ANY, ALL or NONE compares it.
  case value(Value?, isField: Bool = false)
  /// Days since 1970-01-01 in the local calendar.
  case day(Int)
  case list([ResolvedOperand])

  var value: Value? {
    if case .value(let value, _) = self { value } else { nil }
  }

  var isMissing: Bool {
    switch self {
    case .value(nil, isField: true), .value(.null, isField: true): true
    default: false
    }
  }

  /// True if both are fields and one of them is missing or null: a comparison of them is unknown.
  func isUnknown(beside other: ResolvedOperand) -> Bool {
    guard case .value(_, isField: true) = self, case .value(_, isField: true) = other else { return false }
    return isMissing || other.isMissing
  }

  var list: [ResolvedOperand]? {
    switch self {
    case .list(let elements): elements
    case .value(.list(let elements), _): elements.map { .value($0) }
    default: nil
    }
  }
}

extension SortKey {
  /// Two values are equal as they are for `=` if their exact keys are.
  init(equalTo value: Value?, _ folding: Folding) {
    var builder = SortKeyBuilder()
    builder.append(value.map { SortKey.folded($0, folding) }, exact: true)
    self = builder.finish()
  }

  private static func folded(_ value: Value, _ folding: Folding) -> Value {
    switch value {
    case .string(let text) where !folding.isEmpty:
      .string(String(decoding: folding.folded(text), as: UTF8.self))
    case .list(let elements) where !folding.isEmpty: .list(elements.map { folded($0, folding) })
    default: value
    }
  }
}

extension Sequence {
  /// Returns false if a test is false for one element, otherwise nil if it is unknown for one.
  fileprivate func allHold(_ test: (Element) -> Bool?) -> Bool? {
    var result: Bool? = true
    for element in self {
      guard let holds = test(element) else {
        result = nil
        continue
      }
      if !holds { return false }
    }
    return result
  }

  /// Returns true if a test is true for one element, otherwise nil if it is unknown for one.
  fileprivate func anyHolds(_ test: (Element) -> Bool?) -> Bool? {
    allHold { test($0).map { !$0 } }.map { !$0 }
  }
}
