import Values

/// A recursive-descent parser for the grammar in the documentation of `ItemPredicate`, with one
/// token of lookahead.
struct PredicateParser {
  var lexer: PredicateLexer
  private(set) var token: PredicateToken
  /// The token before `token`; spaces between them belong to neither.
  private(set) var last: PredicateToken?
  private var depth = 0
  /// The end of the last operand that no comparison operator followed.
  private var endOfBareOperand: Int?
  /// The beginning of the right side of the last comparison, if a string is expected there.
  private var patternStart: Int?
  /// The bare words since the last comparison, with their places.
  var bareWords: [(key: String, range: Range<Int>)] = []
  /// True if a comparison of fields has a bare word.
  private(set) var hasBareWords = false
  /// The beginnings of the comparisons that read interpolated values in another way than their texts: as ids,
  /// or without case.
  private(set) var readings: [Int] = []
  /// The allowance that all LIKE and MATCHES share.
  let allowance = MatchAllowance()
  /// The number of predicates about elements that enclose the current token.
  private var elementDepth = 0

  /// The maximum nesting of parentheses and braces, which takes less than 256 KiB of stack.
  static let maxDepth = 100

  init(_ format: PredicateFormat) throws(ItemPredicateError) {
    lexer = PredicateLexer(format)
    token = try lexer.next()
  }

  mutating func parse() throws(ItemPredicateError) -> PredicateExpression {
    if token.kind == .end {
      throw ItemPredicateError(
        at: token.range.lowerBound, "the predicate is empty; expected a comparison such as `rating > 7`")
    }
    let parsed = try parseOr()
    let expression = try expression(from: parsed)
    if token.kind != .end { throw unexpected("\(continuation) or the end") }
    return expression
  }

  // MARK: AND, OR, NOT

  /// The content of parentheses: a predicate, or one side of a comparison.
  private enum Parsed {
    case expression(PredicateExpression)
    case operand(ParsedOperand)
  }

  private mutating func parseOr() throws(ItemPredicateError) -> Parsed {
    let first = try parseAnd()
    guard isNext(.or, .or) else { return first }
    var terms = [try expression(from: first)]
    while try consume(.or, .or) {
      let next = try parseAnd()
      terms.append(try expression(from: next))
    }
    return .expression(.or(terms))
  }

  private mutating func parseAnd() throws(ItemPredicateError) -> Parsed {
    let first = try parseNot()
    guard isNext(.and, .and) else { return first }
    var terms = [try expression(from: first)]
    while try consume(.and, .and) {
      let next = try parseNot()
      terms.append(try expression(from: next))
    }
    return .expression(.and(terms))
  }

  private mutating func parseNot() throws(ItemPredicateError) -> Parsed {
    guard isNext(.not, .not) else { return try parseTerm() }
    var isNegated = false
    while try consume(.not, .not) { isNegated.toggle() }
    let term = try parseTerm()
    let expression = try expression(from: term)
    return .expression(isNegated ? .not(expression) : expression)
  }

  private mutating func parseTerm() throws(ItemPredicateError) -> Parsed {
    if token.isSymbol(.openParenthesis) {
      let start = token.range.lowerBound
      let inner = try parseParentheses()
      guard case .operand(let operand) = inner else { return inner }
      return try parseComparison(nil, operand, from: start)
    }
    let start = token.range.lowerBound
    switch token.keyword {
    case .truePredicate, .falsePredicate:
      let flag = token.keyword == .truePredicate
      try advance()
      return .expression(.constant(flag))
    case .anyOf, .someOf: return try parseQuantified(.any)
    case .allOf: return try parseQuantified(.all)
    case .noneOf: return try parseQuantified(.none)
    default: return try parseComparison(nil, try parseSide("a field, a value, NOT or ("), from: start)
    }
  }

  private mutating func parseParentheses() throws(ItemPredicateError) -> Parsed {
    let open = try enter()
    let inner = try parseOr()
    try close(.closeParenthesis, open)
    return inner
  }

  /// Returns the expression, or the test of a field alone. Call this right after parsing, because
  /// an error is reported at the next token.
  private func expression(from parsed: Parsed) throws(ItemPredicateError) -> PredicateExpression {
    switch parsed {
    case .expression(let expression): return expression
    case .operand(let operand):
      switch operand.value {
      case .path(let path):
        let text = PredicateComparison.Written(start: last?.range.lowerBound ?? 0, left: path.description)
        return .comparison(PredicateComparison(nil, .path(path), .isTrue, text))
      case .element: return .comparison(PredicateComparison(nil, .element, .isTrue))
      case .value(.bool(let flag)): return .constant(flag)
      case .value, .today, .text, .list, .range: throw unexpected("a comparison such as = or CONTAINS")
      }
    }
  }

  // MARK: Comparisons

  private mutating func parseQuantified(_ quantifier: PredicateComparison.Quantifier)
    throws(ItemPredicateError)
    -> Parsed
  {
    try advance()
    let start = token.range.lowerBound
    let list = try parseOperand("the field of a list")
    let operand = list.value
    switch operand {
    case .path, .element: break
    default: throw ItemPredicateError(at: start, "expected the field of a list, as in `ANY tags = \"x\"`")
    }
    if token.isSymbol(.openParenthesis) { return try parseElementPredicate(quantifier, operand) }
    let parsed = try parseComparison(quantifier, list, from: start)
    guard case .operand = parsed else { return parsed }
    let text = PredicateComparison.Written(start: start, left: lexer.text(start..<end))
    return .expression(.comparison(PredicateComparison(quantifier, operand, .isTrue, text)))
  }

  /// Parses `ANY affected (package = "x" AND fixed = nil)`.
  private mutating func parseElementPredicate(
    _ quantifier: PredicateComparison.Quantifier, _ operand: PredicateOperand
  ) throws(ItemPredicateError) -> Parsed {
    elementDepth += 1
    let inner = try parseParentheses()
    // SELF alone is a comparison only inside the parentheses.
    let expression = try expression(from: inner)
    elementDepth -= 1
    return .expression(.comparison(PredicateComparison(quantifier, operand, .element(expression))))
  }

  /// True inside the parentheses of a predicate about an element.
  var isAboutElement: Bool { elementDepth > 0 }

  /// Parses a comparison. Returns the operand itself if no operator follows.
  private mutating func parseComparison(
    _ quantifier: PredicateComparison.Quantifier?, _ first: ParsedOperand, from leftStart: Int
  ) throws(ItemPredicateError) -> Parsed {
    if case .word(let word) = token.kind, word.uppercased() == "IS" {
      return try parseNullTest(quantifier, first.value)
    }
    guard let comparison = PredicateOperator(token) else {
      endOfBareOperand = end
      if token.keyword == .not {
        throw ItemPredicateError(
          at: token.range.lowerBound, "expected a comparison; write NOT before the field")
      }
      return .operand(first)
    }
    var text = PredicateComparison.Written(start: leftStart, left: lexer.text(leftStart..<end))
    bareWords.removeAll { $0.range.lowerBound < leftStart }
    defer { bareWords = [] }
    let name = lexer.text(token.range)
    let signStart = token.range.lowerBound
    try advance()
    var folding = try parseModifiers()
    text.sign = lexer.text(signStart..<end)
    let start = token.range.lowerBound
    patternStart = comparison.expectsString ? start : nil
    let second = try parseRightSide(of: comparison, name)
    let (left, right) = read(first, second, &folding, from: leftStart)
    text.right = lexer.text(start..<end)
    let test =
      if case .text = left { try wordsTest(comparison, right, folding, signStart, start) } else {
        try test(comparison, name, right, folding, start)
      }
    if !bareWords.isEmpty, !left.fields.isEmpty, !right.fields.isEmpty {
      text.words = bareWords.map { ($0.key, $0.range, isOnLeft: $0.range.lowerBound < signStart) }
      text.end = end
      hasBareWords = true
    }
    return .expression(.comparison(PredicateComparison(quantifier, left, test, text)))
  }

  /// Returns the sides of a comparison: ids beside `@id`, otherwise values. A value such as a UUID then
  /// ignores case.
  private mutating func read(
    _ left: ParsedOperand, _ right: ParsedOperand, _ folding: inout Folding, from start: Int
  ) -> (left: PredicateOperand, right: PredicateOperand) {
    if left.hasID || right.hasID {
      if left.id != left.value || right.id != right.value { readings.append(start) }
      return (left.id, right.id)
    }
    if left.ignoresCase || right.ignoresCase, folding.insert(.letterCase).inserted { readings.append(start) }
    return (left.value, right.value)
  }

  /// Parses `IS NULL` and `IS NOT NULL`. `is` can still be the name of a field.
  private mutating func parseNullTest(
    _ quantifier: PredicateComparison.Quantifier?, _ left: PredicateOperand
  ) throws(ItemPredicateError) -> Parsed {
    if case .text = left {
      throw ItemPredicateError(at: token.range.lowerBound, PredicateParser.textOperators)
    }
    try advance()
    let isNegated = token.keyword == .not
    if isNegated { try advance() }
    guard token.keyword == .null || token.keyword == .nil else {
      throw unexpected("NULL\(isNegated ? "" : " or NOT NULL") after IS (write equality as =)")
    }
    try advance()
    let sign: PredicateOperator = isNegated ? .notEqual : .equal
    return .expression(.comparison(PredicateComparison(quantifier, left, .compare(sign, .value(.null), []))))
  }

  private mutating func parseModifiers() throws(ItemPredicateError) -> Folding {
    guard token.isSymbol(.openBracket) else { return [] }
    try advance()
    var folding: Folding = []
    if case .word(let letters) = token.kind {
      for letter in letters.lowercased() {
        switch letter {
        case "c": folding.insert(.letterCase)
        case "d": folding.insert(.accents)
        default: throw unexpected("c (ignore case), d (ignore accents) or cd")
        }
      }
      try advance()
    }
    guard token.isSymbol(.closeBracket), !folding.isEmpty else {
      throw unexpected("c (ignore case), d (ignore accents) or cd, then ]")
    }
    try advance()
    return folding
  }

  private mutating func test(
    _ comparison: PredicateOperator, _ name: String, _ right: PredicateOperand, _ folding: Folding,
    _ start: Int
  ) throws(ItemPredicateError) -> PredicateTest {
    guard comparison.accepts(right) else {
      let found = excerpt(start..<end)
      let hint = comparison.hint(for: lexer.run(from: start))
      throw ItemPredicateError(
        at: start, "expected \(comparison.expected) after \(name), but found `\(found)` here\(hint)")
    }
    switch (comparison, right) {
    case (.isIn, .value(.list(let values))):
      return .isAmong(Set(values.map { SortKey(equalTo: $0, folding) }), right, folding)
    case (_, .range): return .compare(.between, right, folding)
    case (.text(let kind), .value(let value)):
      return .text(PredicateTextTest(kind, value.text, folding, allowance))
    case (.matches, .value(let value)):
      return .text(.matches(try regex(value.text, folding, start), folding))
    case (.equal, _), (.notEqual, _), (.ordered, _), (.between, _), (.isIn, _), (.contains, _), (.text, _),
      (.matches, _):
      return .compare(comparison, right, folding)
    }
  }

  private mutating func regex(_ pattern: String, _ folding: Folding, _ start: Int) throws(ItemPredicateError)
    -> BoundedRegex
  {
    let pattern =
      folding.contains(.accents) ? String(decoding: Folding.accents.folded(pattern), as: UTF8.self) : pattern
    do throws(ItemPredicateError) {
      return try BoundedRegex(pattern, isCaseInsensitive: folding.contains(.letterCase), allowance: allowance)
    } catch {
      throw ItemPredicateError(at: start, error.message)
    }
  }

  // MARK: Tokens

  /// Extends the current token to the position of the lexer.
  mutating func extendToken() {
    token = PredicateToken(kind: token.kind, range: token.range.lowerBound..<lexer.offset)
  }

  mutating func advance() throws(ItemPredicateError) {
    last = token
    token = try lexer.next()
  }

  private var end: Int { last?.range.upperBound ?? 0 }

  /// Reads an opening bracket, counts the nesting, and returns the bracket.
  mutating func enter() throws(ItemPredicateError) -> PredicateToken {
    depth += 1
    if depth > PredicateParser.maxDepth {
      throw ItemPredicateError(
        at: token.range.lowerBound,
        "parentheses and braces are nested more than \(PredicateParser.maxDepth) deep here")
    }
    let open = token
    try advance()
    return open
  }

  mutating func close(_ symbol: PredicateToken.Symbol, _ open: PredicateToken) throws(ItemPredicateError) {
    guard token.isSymbol(symbol) else {
      let column = lexer.text(0..<open.range.lowerBound).count + 1
      let others = symbol == .closeParenthesis ? continuation : ","
      throw unexpected(
        "\(others) or `\(symbol.rawValue)` to close the `\(lexer.text(open.range))` at column \(column)")
    }
    depth -= 1
    try advance()
  }

  private func isNext(_ symbol: PredicateToken.Symbol, _ keyword: PredicateToken.Keyword) -> Bool {
    token.isSymbol(symbol) || token.keyword == keyword
  }

  private mutating func consume(_ symbol: PredicateToken.Symbol, _ keyword: PredicateToken.Keyword)
    throws(ItemPredicateError)
    -> Bool
  {
    guard isNext(symbol, keyword) else { return false }
    try advance()
    return true
  }

  /// The tokens that may follow a term, for messages.
  private var continuation: String { endOfBareOperand == end ? "a comparison such as =, AND, OR" : "AND, OR" }

  func excerpt(_ range: Range<Int>) -> String {
    range.count > 40 ? lexer.text(range.prefix(39)) + "…" : lexer.text(range)
  }

  /// Returns the error for an unexpected token: the expected and the actual text, and advice.
  func unexpected(_ expected: String) -> ItemPredicateError {
    let found = token.kind == .end ? "the predicate ends" : "found `\(excerpt(token.range))`"
    return ItemPredicateError(at: token.range.lowerBound, "expected \(expected), but \(found) here\(hint)")
  }

  private var hint: String {
    switch token.kind {
    case .unknown where isInBarePattern:
      "; put the string in quotes: \"\(lexer.run(from: patternStart ?? 0))\""
    case .unknown(let signs) where signs.utf8.first.map("+-*/%^".utf8.contains) == true:
      signs.hasPrefix("%")
        ? "; write the value itself; only a format has arguments such as %@" : "; there is no arithmetic"
    case .symbol(.comma): "; write a list in braces, as in IN {1, 2}"
    case .number(let number) where number.description.hasPrefix("-"): "; there is no arithmetic"
    case .unknown(let signs) where signs.utf8.contains(UInt8(ascii: "~")):
      "; use LIKE or MATCHES to match strings"
    case .unknown("$"): "; write the value itself; there are no variables"
    case .unknown(let signs) where "“”„‘’".contains(signs.prefix(1)):
      "; put strings in straight quotes, \" or '"
    case .unknown("&"): "; write AND or &&"
    case .unknown("|"): "; write OR or ||"
    case .symbol(.singleEqual), .symbol(.equal): "; write equality as = or =="
    case .symbol(.openParenthesis):
      last.map { if case .word = $0.kind { "; there are no functions" } else { "" } } ?? ""
    case .word, .quotedKey: last?.kind == .symbol(.singleEqual) ? "" : wordHint
    default: ""
    }
  }

  /// True if the current token is directly after a word where a string is expected: `LIKE Mend*`.
  private var isInBarePattern: Bool {
    guard let patternStart else { return false }
    return !lexer.text(patternStart..<token.range.lowerBound).unicodeScalars.contains(
      where: \.properties.isWhitespace)
  }

  private var wordHint: String {
    if case .word = last?.kind {
      "; write a field name with spaces in backquotes and a string in quotes"
    } else {
      ""
    }
  }
}
