import Values

extension PredicateParser {
  mutating func parseOperand(_ expected: String) throws(ItemPredicateError) -> ParsedOperand {
    let start = token.range.lowerBound
    let operand = try parseSide(expected)
    if case .text = operand.value {
      throw ItemPredicateError(at: start, "@text can only be on the left of CONTAINS or BEGINSWITH")
    }
    return operand
  }

  /// Parses an operand, or `@text`, which can only be on the left.
  mutating func parseSide(_ expected: String) throws(ItemPredicateError) -> ParsedOperand {
    switch token.kind {
    case .argument(.path, _): return ParsedOperand(try parsePath())
    case .argument(let value, let id): return try parseArgument(value, id)
    case .string(let text): return try literal(Value(text: text))
    case .number(let number): return try literal(.number(number))
    case .date(let date): return try literal(.date(date))
    case .symbol(.openBrace): return try parseList()
    case .symbol(.openParenthesis):
      let open = try enter()
      let operand = try parseOperand(expected)
      if token.isSymbol(.comma) { throw unexpected("`)`; write a list in braces, as in {1, 2}") }
      try close(.closeParenthesis, open)
      return operand
    case .at("@today"):
      let offset = try lexer.dayOffset()
      if offset != nil { extendToken() }
      try advance()
      return ParsedOperand(.today(offset ?? .zero))
    case .quotedKey, .at: return ParsedOperand(try parsePath())
    case .word: return try parseWord(expected)
    case .symbol, .unknown, .end: throw unexpected(expected)
    }
  }

  static let textOperators = "expected CONTAINS or BEGINSWITH after @text"

  /// Returns the test of `@text` on the left, which is only compared with a string.
  func wordsTest(
    _ comparison: PredicateOperator, _ right: PredicateOperand, _ folding: Folding, _ sign: Int, _ start: Int
  ) throws(ItemPredicateError) -> PredicateTest {
    let areBegun: Bool
    switch comparison {
    case .contains: areBegun = false
    case .text(.beginsWith): areBegun = true
    default: throw ItemPredicateError(at: sign, PredicateParser.textOperators)
    }
    switch right {
    case .value(.string), .value(.date):
      return .words(FoldedPattern(right.constant?.text ?? "", folding), areBegun: areBegun)
    default: throw ItemPredicateError(at: start, "expected a string in quotes, to compare it with @text")
    }
  }

  mutating func parseRightSide(of comparison: PredicateOperator, _ name: String) throws(ItemPredicateError)
    -> ParsedOperand
  {
    if comparison.takesRange, case .argument(let range, let id) = token.kind, case .range = range {
      try advance()
      return ParsedOperand(range, id: id)
    }
    return try parseOperand("\(comparison.expected) after \(name)")
  }

  private mutating func parseArgument(_ value: PredicateOperand, _ id: PredicateOperand)
    throws(ItemPredicateError) -> ParsedOperand
  {
    if value.hasRange {
      throw ItemPredicateError(at: token.range.lowerBound, "a range can only be directly after IN or BETWEEN")
    }
    try advance()
    return ParsedOperand(value, id: id)
  }

  private mutating func literal(_ value: Value) throws(ItemPredicateError) -> ParsedOperand {
    try advance()
    return ParsedOperand(.value(value))
  }

  private mutating func parseWord(_ expected: String) throws(ItemPredicateError) -> ParsedOperand {
    switch token.keyword {
    case .true, .yes: return try literal(.bool(true))
    case .false, .no: return try literal(.bool(false))
    case .nil, .null: return try literal(.null)
    case nil: return ParsedOperand(try parsePathOrElement())
    case .some:
      let word = excerpt(token.range)
      let message =
        "expected \(expected), but found the keyword `\(word)` here; write a field of that name in backquotes"
      throw ItemPredicateError(at: token.range.lowerBound, message)
    }
  }

  private mutating func parseList() throws(ItemPredicateError) -> ParsedOperand {
    let open = try enter()
    var elements: [ParsedOperand] = []
    while !token.isSymbol(.closeBrace) {
      elements.append(try parseOperand(elements.isEmpty ? "a value or }" : "a value"))
      guard token.isSymbol(.comma) else { break }
      try advance()
      if token.isSymbol(.closeBrace) { throw unexpected("a value after the comma") }
    }
    try close(.closeBrace, open)
    return ParsedOperand(elements: elements)
  }

  // MARK: Paths

  /// Parses a path, or `SELF` in a predicate about an element.
  private mutating func parsePathOrElement() throws(ItemPredicateError) -> PredicateOperand {
    guard isAboutElement, token.kind == .word("SELF") else { return try parsePath() }
    try advance()
    guard token.isSymbol(.dot) || token.isSymbol(.openBracket) else { return .element }
    return try parseSteps(PathBuilder(isBelowElement: true))
  }

  private mutating func parsePath() throws(ItemPredicateError) -> PredicateOperand {
    var path = PathBuilder()
    let first = token
    try parseComponent(&path, isFirst: true)
    if case .word(let key) = first.kind, !token.isSymbol(.dot), !token.isSymbol(.openBracket) {
      bareWords.append((key, first.range))
    }
    return try parseSteps(path)
  }

  private mutating func parseSteps(_ path: PathBuilder) throws(ItemPredicateError) -> PredicateOperand {
    var path = path
    while true {
      if token.isSymbol(.dot) {
        try advance()
        try parseComponent(&path, isFirst: false)
      } else if token.isSymbol(.openBracket) {
        try parseIndex(&path)
      } else {
        return try path.finish()
      }
    }
  }

  private mutating func parseComponent(_ path: inout PathBuilder, isFirst: Bool) throws(ItemPredicateError) {
    let start = token.range.lowerBound
    switch token.kind {
    case .word(let key), .quotedKey(let key): try path.append(key, at: start)
    case .argument(.path(let part), _): try path.append(part, isFirst: isFirst, at: start)
    case .at("@text"): try path.appendText(at: start)
    case .at(let name):
      if let function = ListOperator(rawValue: name) {
        try path.append(function, at: start)
      } else if isFirst, PseudoField(rawValue: name) != nil {
        path.appendPseudoField(name)
      } else {
        throw ItemPredicateError(at: start, PredicateParser.unknownName(name, isFirst: isFirst))
      }
    default: throw unexpected("a key after the dot")
    }
    try advance()
  }

  private static func unknownName(_ name: String, isFirst: Bool) -> String {
    if name.hasPrefix("@today-") { return "expected a space on each side of the `-`, as in `@today - 30d`" }
    if name == "@now" { return "there is no `@now`; use @today" }
    let operators = ListOperator.allCases.map(\.rawValue).joined(separator: ", ")
    if !isFirst { return "expected a key or one of \(operators), but found `\(name)` here" }
    let fields = PseudoField.allCases.map(\.rawValue).joined(separator: ", ")
    return
      "expected @today or one of \(fields), but found `\(name)` here; write a field name that begins with @ in backquotes"
  }

  /// Parses `[0]`, `[FIRST]`, `[LAST]` or `[SIZE]`.
  private mutating func parseIndex(_ path: inout PathBuilder) throws(ItemPredicateError) {
    let start = token.range.lowerBound
    try advance()
    let step: FieldPath.Step
    switch token.kind {
    case .number(.integer(let index)) where index >= 0: step = .index(index)
    case .argument(.value(.number(.integer(let index))), _) where index >= 0: step = .index(index)
    case .word(let word) where word.uppercased() == "FIRST": step = .first
    case .word(let word) where word.uppercased() == "LAST": step = .last
    case .word(let word) where word.uppercased() == "SIZE": step = .size
    default: throw unexpected("a place in a list: a number from 0, FIRST, LAST or SIZE")
    }
    try advance()
    guard token.isSymbol(.closeBracket) else { throw unexpected("`]`") }
    try path.append(step, at: start)
    try advance()
  }
}

/// Builds a path from its components. Keys after an operator are part of its operand:
/// `releases.@max.date` is the `@max` of `releases.date`.
private struct PathBuilder {
  private var steps: [FieldPath.Step] = []
  private var listOperator: (ListOperator, offset: Int)?
  private var pseudoField: String?
  /// True after `@text`, the last component.
  private var isText = false
  /// True if the path begins with `SELF`.
  private let isBelowElement: Bool

  init(isBelowElement: Bool = false) {
    self.isBelowElement = isBelowElement
  }

  mutating func append(_ key: String, at offset: Int) throws(ItemPredicateError) {
    try check(offset)
    steps.append(.key(key))
  }

  mutating func append(_ found: ListOperator, at offset: Int) throws(ItemPredicateError) {
    try check(offset)
    if listOperator != nil {
      throw ItemPredicateError(at: offset, "expected a key; a path has at most one operator such as @count")
    }
    listOperator = (found, offset)
    steps.append(.listOperator(found))
  }

  mutating func append(_ step: FieldPath.Step, at offset: Int) throws(ItemPredicateError) {
    try check(offset)
    if listOperator != nil {
      throw ItemPredicateError(
        at: offset, "expected a comparison; the result of an operator such as @max has no elements")
    }
    steps.append(step)
  }

  mutating func append(_ path: FieldPath, isFirst: Bool, at offset: Int) throws(ItemPredicateError) {
    if isFirst, let pseudoField = PseudoField(path) { return appendPseudoField(pseudoField.rawValue) }
    for step in path.steps {
      switch step {
      case .key(let key): try append(key, at: offset)
      case .listOperator(let listOperator): try append(listOperator, at: offset)
      case .index, .first, .last, .size: try append(step, at: offset)
      }
    }
  }

  mutating func appendPseudoField(_ name: String) {
    steps = [.key(name)]
    pseudoField = name
  }

  mutating func appendText(at offset: Int) throws(ItemPredicateError) {
    if isText { try check(offset) }
    isText = true
  }

  private func check(_ offset: Int) throws(ItemPredicateError) {
    if let pseudoField = isText ? "@text" : pseudoField {
      throw ItemPredicateError(at: offset, "expected a comparison; there is nothing below \(pseudoField)")
    }
  }

  func finish() throws(ItemPredicateError) -> PredicateOperand {
    if isText, steps.isEmpty, !isBelowElement { return .text(below: nil) }
    if let listOperator, steps.count == 1, !isBelowElement {
      throw ItemPredicateError(
        at: listOperator.offset,
        "expected the field of a list before \(listOperator.0.rawValue), as in `tags.@count`")
    }
    let path = FieldPath(steps: steps)
    return isText ? .text(below: path) : .path(path)
  }
}
