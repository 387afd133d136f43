import PlainText

/// Evaluates an expression for one item.
struct PredicateEvaluator<Source: FieldSource> {
  let source: Source
  let context: PredicateContext
  let allowance: MatchAllowance

  func holds(_ expression: PredicateExpression) -> Bool {
    switch expression {
    case .constant(let flag): flag
    case .comparison(let comparison): holds(comparison)
    case .not(let expression): !holds(expression)
    case .and(let terms): terms.allSatisfy(holds)
    case .or(let terms): terms.contains(where: holds)
    }
  }

  private func holds(_ comparison: PredicateComparison) -> Bool {
    let left = resolve(comparison.left)
    guard let quantifier = comparison.quantifier else { return passes(left, comparison.test) }
    let elements = elements(of: left, flat: isFlat(comparison.test))
    let test = prepared(comparison.test, for: elements.count)
    switch quantifier {
    case .any: return elements.contains { passes($0, test) }
    case .all: return elements.allSatisfy { passes($0, test) }
    case .none: return !elements.contains { passes($0, test) }
    }
  }

  /// Returns the test with the list of another field as a hash table, if many elements are to be
  /// found in it.
  func prepared(_ test: PredicateTest, for count: Int) -> PredicateTest {
    guard count > Self.fewElements, case .isIn(let right, let folding) = test, let list = resolve(right).list, list.count > Self.fewElements
    else { return test }
    var values: [Value?] = []
    for element in list {
      // A day equals many dates, so it has no single key.
      guard case .value(let value) = element else { return test }
      values.append(value)
    }
    return .isAmong(ValueSet(values, folding), right, folding)
  }

  /// The number of elements up to which comparing all pairs costs no more than a hash table.
  private static var fewElements: Int { 8 }

  func resolve(_ operand: PredicateOperand) -> ResolvedOperand {
    switch operand {
    case .value(let value): .value(value)
    case .today(let offset): .day(offset.applied(to: context.today))
    case .element: .value((source as? ElementSource)?.element)
    case .path(let path): .value(source.value(at: path))
    case .list(let elements): .list(elements.map(resolve))
    case .range(let lower, let upper, _): .list([resolve(lower), resolve(upper)])
    }
  }

  /// Returns the elements that ANY, ALL and NONE test. A scalar or a map is a list of one element,
  /// null an empty list.
  func elements(of operand: ResolvedOperand, flat: Bool) -> [ResolvedOperand] {
    switch operand {
    case .value(nil), .value(.null): []
    case .value(.list(let elements)):
      elements.flatMap { element -> [ResolvedOperand] in
        if flat, case .list = element { self.elements(of: .value(element), flat: true) } else { [.value(element)] }
      }
    case .list(let elements): elements
    default: [operand]
    }
  }

  /// Returns true if lists in the list are flattened, as for `releases.tags`: unless the test is
  /// one for lists.
  func isFlat(_ test: PredicateTest) -> Bool {
    switch test {
    case .contains: false
    case .equal(let right, _), .notEqual(let right, _): resolve(right).list == nil
    default: true
    }
  }

  func passes(_ left: ResolvedOperand, _ test: PredicateTest) -> Bool {
    switch test {
    case .isTrue: left.value == .bool(true)
    case .element(let expression):
      left.value.map {
        PredicateEvaluator<ElementSource>(source: ElementSource($0, of: source), context: context, allowance: allowance).holds(expression)
      } ?? false
    case .equal(let right, let folding): isEqual(left, resolve(right), folding)
    case .notEqual(let right, let folding): !isEqual(left, resolve(right), folding)
    case .ordered(let relation, let right, let folding): order(left, resolve(right), folding).map(relation.holds) ?? false
    case .between(let right, let folding): isBetween(left, right, folding)
    case .isIn(let right, let folding): contains(resolve(right), left, folding)
    case .isAmong(let set, let right, let folding):
      if case .value(let value) = left { set.contains(value) } else { contains(resolve(right), left, folding) }
    case .contains(let right, let folding): contains(left, resolve(right), folding)
    case .text(let test): test.holds(left.value)
    case .fieldText(let kind, let right, let folding): hasText(left.value, kind, resolve(right).value, folding)
    }
  }

  private func isEqual(_ a: ResolvedOperand, _ b: ResolvedOperand, _ folding: Folding) -> Bool {
    switch (a, b) {
    case (.day(let a), .day(let b)): return a == b
    case (.day(let day), .value(.date(let date))), (.value(.date(let date)), .day(let day)): return context.day(of: date) == day
    case (.value(.string(let a)), .value(.string(let b))) where !folding.isEmpty: return folding.folded(a) == folding.folded(b)
    case (.value(let a), .value(let b)) where a?.isScalar ?? true: return ValueOrder.compare(a, b, exact: true) == 0
    default:
      guard let a = a.list, let b = b.list else { return a.value.map { ValueOrder.compare($0, b.value, exact: true) == 0 } ?? false }
      return a.count == b.count && zip(a, b).allSatisfy { isEqual($0, $1, folding) }
    }
  }

  /// Returns nil if there is no order: between types, and for null, lists, maps and `.nan`.
  private func order(_ a: ResolvedOperand, _ b: ResolvedOperand, _ folding: Folding) -> Int? {
    switch (a, b) {
    case (.day(let a), .day(let b)): return (a > b ? 1 : 0) - (a < b ? 1 : 0)
    case (.day(let day), .value(.date(let date))): return order(.day(day), .day(context.day(of: date)), folding)
    case (.value(.date), .day): return order(b, a, folding).map { -$0 }
    case (.value(.number(let a)), .value(.number(let b))):
      return a.doubleValue.isNaN || b.doubleValue.isNaN ? nil : ValueOrder.compare(.number(a), .number(b))
    case (.value(.string(let a)), .value(.string(let b))) where !folding.isEmpty:
      return ValueOrder.compareNatural(folding.folded(a), folding.folded(b))
    case (.value(.string(let a)), .value(.string(let b))): return ValueOrder.compare(a, b)
    case (.value(.date(let a)?), .value(.date(let b)?)): return ValueOrder.compare(.date(a), .date(b))
    case (.value(.bool(let a)?), .value(.bool(let b)?)): return ValueOrder.compare(.bool(a), .bool(b))
    default: return nil
    }
  }

  private func isBetween(_ value: ResolvedOperand, _ range: PredicateOperand, _ folding: Folding) -> Bool {
    guard let bounds = resolve(range).list, bounds.count == 2, let low = order(value, bounds[0], folding),
      let high = order(value, bounds[1], folding)
    else {
      return false
    }
    if case .range(_, _, isClosed: false) = range { return low >= 0 && high < 0 }
    return low >= 0 && high <= 0
  }

  /// Returns true if a list contains an element, or if a string contains another string.
  private func contains(_ whole: ResolvedOperand, _ part: ResolvedOperand, _ folding: Folding) -> Bool {
    if let elements = whole.list { return elements.contains { isEqual($0, part, folding) } }
    return hasText(whole.value, .contains, part.value, folding)
  }

  private func hasText(_ text: Value?, _ kind: PredicateTextOperator, _ pattern: Value?, _ folding: Folding) -> Bool {
    switch pattern {
    case .string(let pattern): PredicateTextTest(kind, pattern, folding, allowance).holds(text)
    case .date(let pattern): PredicateTextTest(kind, pattern.text, folding, allowance).holds(text)
    default: false
    }
  }
}

/// The value of an operand for one item.
enum ResolvedOperand {
  case value(Value?)
  /// Days since 1970-01-01 in the local calendar.
  case day(Int)
  case list([ResolvedOperand])

  var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  var list: [ResolvedOperand]? {
    switch self {
    case .list(let elements): elements
    case .value(.list(let elements)): elements.map(ResolvedOperand.value)
    default: nil
    }
  }
}
