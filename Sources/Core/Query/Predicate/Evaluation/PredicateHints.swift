import Values

extension ItemPredicate {
  /// Returns a sentence for each comparison that can never be true for these items: the types that
  /// it compares, and what to write instead.
  ///
  /// There is no hint for a comparison that some item could fulfil, nor for a field that no item
  /// has. For empty lists: it evaluates every item again. There are at most eight hints, because a
  /// predicate may have thousands of comparisons.
  package func hints(about items: some Sequence<Item>, in context: PredicateContext) -> [String] {
    var hints: [String] = []
    var seen: Set<String> = []
    let sources = PredicateSources(context: context, allowance: allowance) { body in
      for item in items where !body(item) { return }
    }
    expression.forEachComparison(about: sources, areClaims: true) { comparison, sources in
      guard hints.count < 8, let mismatch = PredicateMismatch(of: comparison, in: sources) else { return }
      let hint = mismatch.hint(in: text)
      if seen.insert(hint).inserted { hints.append(hint) }
    }
    return hints
  }
}

/// The sources for which comparisons are evaluated: items, or the elements of a list of each item.
struct PredicateSources {
  let context: PredicateContext
  let allowance: MatchAllowance
  /// The keys of the list whose elements are the sources; none for items.
  var keys: [String] = []
  /// Calls its argument with each source until it returns false.
  let forEach: ((any FieldSource) -> Bool) -> Void

  func evaluator<Source: FieldSource>(of source: Source) -> PredicateEvaluator<Source> {
    PredicateEvaluator(source: source, context: context, allowance: allowance)
  }
}

extension PredicateExpression {
  /// Calls `body` with each comparison, and what it is evaluated for. With `areClaims`, negated ones are
  /// left out. The others must be true, or may be the one that makes the expression true.
  func forEachComparison(
    about sources: PredicateSources, areClaims: Bool = false,
    _ body: (PredicateComparison, PredicateSources) -> Void
  ) {
    switch self {
    case .constant: break
    case .not(let term): if !areClaims { term.forEachComparison(about: sources, body) }
    case .and(let terms), .or(let terms):
      for term in terms { term.forEachComparison(about: sources, areClaims: areClaims, body) }
    case .comparison(let comparison):
      if areClaims, comparison.quantifier == PredicateComparison.Quantifier.none { return }
      guard case .element(let inner) = comparison.test else { return body(comparison, sources) }
      let elements = PredicateSources(
        context: sources.context, allowance: sources.allowance, keys: sources.keys + comparison.left.keys
      ) { body in
        var shouldContinue = true
        sources.forEach { source in
          for element in source.elements(of: comparison, in: sources) where shouldContinue {
            shouldContinue =
              element.value.map { body(ElementSource($0, of: source, at: comparison.left)) } ?? true
          }
          return shouldContinue
        }
      }
      inner.forEachComparison(about: elements, areClaims: areClaims, body)
    }
  }
}

extension FieldSource {
  /// Returns the elements of a list after ANY or ALL, otherwise one value.
  fileprivate func elements(of comparison: PredicateComparison, in sources: PredicateSources)
    -> [ResolvedOperand]
  {
    let evaluator = sources.evaluator(of: self)
    let left = evaluator.resolve(comparison.left)
    return comparison.quantifier == nil
      ? [left] : evaluator.elements(of: left, flat: evaluator.isFlat(comparison.test))
  }

  /// Decides from the values of this source if a comparison could be true.
  fileprivate func finding(_ comparison: PredicateComparison, in sources: PredicateSources)
    -> PredicateFinding
  {
    let evaluator = sources.evaluator(of: self)
    let right = comparison.test.operand.map(evaluator.resolve)
    let elements = elements(of: comparison, in: sources)
    let test = evaluator.prepared(comparison.test, for: elements.count)
    var finding = PredicateFinding.nothing
    var seen: Set<ValueKind> = []
    for left in elements {
      if evaluator.passes(left, test, of: comparison.left) == true { return .possible }
      // Only CONTAINS depends on more than the type on the left.
      if let kind = ValueKind(left), !seen.insert(kind).inserted, !comparison.test.isContains { continue }
      switch comparison.test.finding(left, right) {
      case .possible: return .possible
      case .nothing: break
      case .mismatch(let left, let right): finding = .mismatch(left, right)
      }
    }
    return finding
  }
}

private enum PredicateFinding {
  case nothing
  /// Other values of these types could pass.
  case possible
  /// No values of these types can pass.
  case mismatch(ValueKind, ValueKind)
}

extension ValueKind {
  fileprivate init?(_ operand: ResolvedOperand) {
    switch operand {
    case .day: self = .date
    case .list: self = .list
    case .value(let value, _):
      guard let value else { return nil }
      self.init(value)
    }
  }

  fileprivate var isScalar: Bool { self != .list && self != .map }

  /// True if CONTAINS and IN search the value as a string.
  fileprivate var isSearchable: Bool { self == .string || self == .date }
}

extension PredicateTest {
  fileprivate var isContains: Bool { if case .compare(.contains, _, _) = self { true } else { false } }

  /// Returns the finding about the test from two values that do not pass it.
  fileprivate func finding(_ left: ResolvedOperand, _ right: ResolvedOperand?) -> PredicateFinding {
    guard let kind = ValueKind(left) else { return .nothing }
    switch self {
    case .element, .words: return .possible
    case .isTrue: return kind == .boolean ? .possible : .mismatch(kind, .boolean)
    case .text: return kind.isScalar ? .possible : .mismatch(kind, .string)
    case .isAmong: return PredicateTest.finding(kind, among: right)
    case .compare(let sign, _, _):
      switch sign {
      case .notEqual: return .possible
      case .text, .matches: return kind.isScalar ? .possible : .mismatch(kind, .string)
      case .equal: return PredicateTest.finding(kind, right, ordered: false)
      case .ordered: return PredicateTest.finding(kind, right, ordered: true)
      case .between: return PredicateTest.finding(kind, right?.list?.first, ordered: true)
      case .isIn: return PredicateTest.finding(kind, among: right)
      case .contains: return PredicateTest.finding(left, kind, containing: right)
      }
    }
  }

  private static func finding(_ left: ValueKind, _ right: ResolvedOperand?, ordered: Bool)
    -> PredicateFinding
  {
    guard let right = right.flatMap({ ValueKind($0) }) else { return .nothing }
    return left == right && (left.isScalar || !ordered) ? .possible : .mismatch(left, right)
  }

  private static func finding(_ left: ValueKind, among right: ResolvedOperand?) -> PredicateFinding {
    guard let right, let kind = ValueKind(right) else { return .nothing }
    // A string on the right is searched for the string on the left.
    guard let elements = right.list else {
      guard kind.isSearchable else { return .mismatch(left, kind) }
      return left.isSearchable ? .possible : .mismatch(left, .string)
    }
    let kinds = elements.compactMap { ValueKind($0) }
    guard let first = kinds.first, !kinds.contains(left) else { return .possible }
    return .mismatch(left, first)
  }

  private static func finding(
    _ left: ResolvedOperand, _ kind: ValueKind, containing right: ResolvedOperand?
  ) -> PredicateFinding {
    guard let right, let part = ValueKind(right) else { return .nothing }
    guard let elements = left.list else {
      if kind == .map { return .mismatch(.map, part) }
      return part.isSearchable ? .possible : .mismatch(kind, part)
    }
    let kinds = elements.compactMap { ValueKind($0) }
    if kinds.isEmpty { return .nothing }
    // CONTAINS compares complete elements. If an element contains the string, suggest ANY.
    if part == .string, case .value(let value?, _) = right,
      elements.contains(where: { PredicateTextTest(.contains, value.text, []).holds($0.value) })
    {
      return .mismatch(.list, .string)
    }
    return kinds.contains(part) ? .nothing : .mismatch(.list, part)
  }
}

private struct PredicateMismatch {
  private let comparison: PredicateComparison
  private let left: ValueKind
  private let right: ValueKind

  /// Nil if the comparison could be true or has no values. Stops at the first item that could fulfil it.
  init?(of comparison: PredicateComparison, in sources: PredicateSources) {
    var mismatch: (ValueKind, ValueKind)?
    var isPossible = false
    sources.forEach { source in
      switch source.finding(comparison, in: sources) {
      case .nothing: break
      case .possible: isPossible = true
      case .mismatch(let left, let right): mismatch = mismatch ?? (left, right)
      }
      return !isPossible
    }
    guard !isPossible, let mismatch else { return nil }
    self.comparison = comparison
    (left, right) = mismatch
  }

  /// The comparison as written, shortened for a message.
  private var text: PredicateComparison.Written {
    var text = comparison.text
    text.left = text.left.excerpt
    text.right = text.right.excerpt
    return text
  }

  private var isShortened: Bool {
    [comparison.text.left, comparison.text.right].contains { $0.excerpt != $0 }
  }

  private var written: String {
    let quantifier = comparison.quantifier.map { "\($0.keyword) " } ?? ""
    return quantifier + [text.left, text.sign, text.right].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Returns a sentence about the types, and one that says what to write. A long comparison is shown in
  /// part, with its column in `predicate`.
  func hint(in predicate: String) -> String {
    let instead = suggestion.map { " Write \($0)." } ?? ""
    let column = String(predicate.unicodeScalars.prefix(comparison.text.start)).count + 1
    let place = isShortened ? " at column \(column)" : ""
    return "`\(written)`\(place) \(reason), so no item matches.\(instead)"
  }

  private var reason: String {
    switch comparison.test {
    case .isTrue: "asks whether a value is true, but it is a \(left.rawValue)"
    case .compare(.contains, _, _) where left == .list && right == .string:
      "compares complete elements of a list with a string, and none is equal"
    case .compare(.contains, _, _) where left != .list:
      "searches for a \(right.rawValue) in a \(left.rawValue); CONTAINS finds only strings"
    default: "compares a \(left.rawValue) with a \(right.rawValue)"
    }
  }

  private var suggestion: String? {
    if isShortened { return left == .list ? "ANY before it" : left == .map ? "one of its keys" : advice }
    let prefix = written.dropLast(text.right.count)
    if case .isTrue = comparison.test {
      return left == .list
        ? "`ANY \(text.left) …` with a comparison" : "a comparison such as `\(text.left) != nil`"
    }
    if left == .list, comparison.quantifier == nil {
      return text.left.isEmpty ? nil : "`ANY \(written)`"
    }
    guard case .value(let value)? = comparison.test.operand else { return advice }
    if left.isScalar, case .compare(.contains, _, _) = comparison.test {
      return "`\(prefix)\"\(text.right)\"`"
    }
    switch (left, value) {
    case (.number, .string(let text)) where isNumber(text): return "`\(prefix)\(text)`"
    case (.string, .number), (.string, .bool): return "`\(prefix)\"\(text.right)\"`"
    case (.boolean, .string(let text)) where ["true", "false", "yes", "no"].contains(text.lowercased()):
      return "`\(prefix)\(text.uppercased())`"
    case (.date, .number(.integer(let year))) where (1000...9999).contains(year):
      return "a date: `\(prefix)\(year)-01-01`"
    default: return advice
    }
  }

  private var advice: String? {
    switch left {
    case .number: "a number without quotes"
    case .date: "a date such as 2024-01-31, or @today"
    case .string: "a string in quotes"
    case .boolean: "TRUE or FALSE"
    case .map: "one of its keys: `\(text.left).KEY`"
    case .list: nil
    }
  }
}

private func isNumber(_ text: String) -> Bool {
  guard let predicate = try? ItemPredicate("x = " + text),
    case .comparison(let comparison) = predicate.expression,
    case .value(.number)? = comparison.test.operand
  else { return false }
  return true
}
