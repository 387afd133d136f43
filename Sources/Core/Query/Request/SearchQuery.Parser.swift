import Values

extension SearchQuery {
  /// Reads the grammar of ``SearchQuery`` in one pass.
  ///
  /// A strict parser throws at the first mistake. A lenient one leaves out what is incomplete, and never
  /// throws.
  struct Parser {
    private let scalars: [Unicode.Scalar]
    private let isLenient: Bool
    private var position = 0
    private var parts: [Part] = []
    /// The parentheses that are open, and whether what is in them must not match.
    private var open: [(place: Int, isNegative: Bool)] = []
    /// The place of a NOT whose operand has not come yet.
    private var negation: Int?
    /// The place of an AND or OR whose right side has not come yet.
    private var dangling: Int?

    /// In Unicode scalars.
    private static let maxSize = 16 << 10
    /// Terms, parentheses and ORs. Each `~` is five comparisons.
    private static let maxParts = 500
    /// Each level is one of the predicate, which can be nested 100 deep.
    private static let maxDepth = 30
    /// The longest field path, in Unicode scalars: a word is searched this far for its colon.
    private static let maxPath = 500

    init(_ text: String, isLenient: Bool) {
      self.isLenient = isLenient
      // One more than is allowed, so that a strict parser notices.
      scalars = Array(text.unicodeScalars.prefix(Parser.maxSize + (isLenient ? 0 : 1)))
    }

    mutating func parse() throws(ItemPredicateError) -> [Part] {
      if scalars.count > Parser.maxSize {
        try fail(at: Parser.maxSize, "a query has at most \(Parser.maxSize) characters; shorten it")
      }
      while let scalar = peek(), parts.count < Parser.maxParts {
        if scalar.properties.isWhitespace {
          position += 1
        } else if scalar == ")", !open.isEmpty {
          try close()
        } else if scalar == ")", !isLenient {
          try fail(at: position, "this parenthesis closes none; to search for it, put it in quotes")
        } else {
          try readOperand()
        }
      }
      if peek() != nil { try fail(at: position, "a query has at most \(Parser.maxParts) terms; shorten it") }
      try checkSides()
      if let start = open.last?.place { try fail(at: start, "this parenthesis is not closed") }
      while !open.isEmpty { try close() }
      dropOr()
      return parts
    }

    private func fail(at offset: Int, _ message: String) throws(ItemPredicateError) {
      if !isLenient { throw ItemPredicateError(at: offset, message) }
    }

    // MARK: Operators

    /// Checks that nothing is missing before the end or a closing parenthesis.
    private mutating func checkSides() throws(ItemPredicateError) {
      if let place = negation ?? dangling {
        try fail(at: place, "something to search for is missing after this")
      }
      (negation, dangling) = (nil, nil)
    }

    private mutating func close() throws(ItemPredicateError) {
      try checkSides()
      let start = open.removeLast().place
      position += 1
      dropOr()
      guard case .open? = parts.last else { return parts.append(.close) }
      try fail(at: start, "these parentheses are empty")
      parts.removeLast()
    }

    /// Removes an OR that has no right side.
    private mutating func dropOr() {
      if case .or? = parts.last { parts.removeLast() }
    }

    /// Reads AND, OR or NOT. They are words in quotes, and in lower case.
    private mutating func readKeyword(_ word: String, at start: Int) throws(ItemPredicateError) -> Bool {
      if word == "NOT" {
        negation = negation == nil ? start : nil
        return true
      }
      guard word == "OR" || word == "AND", negation == nil else { return false }
      let hasLeft =
        switch parts.last {
        case .term, .close: dangling == nil
        case .open, .or, nil: false
        }
      if !hasLeft { try fail(at: start, "something to search for is missing before \(word)") }
      if hasLeft {
        dangling = start
        if word == "OR" { parts.append(.or(isTop: open.isEmpty)) }
      }
      return true
    }

    private mutating func readOperand() throws(ItemPredicateError) {
      let start = position
      var isNegated = negation != nil
      if peek() == "-", let next = peek(1), !next.properties.isWhitespace, next != "-", next != ")" {
        position += 1
        isNegated.toggle()
      }
      if peek() == "(" {
        guard open.count < Parser.maxDepth else {
          try fail(at: position, "parentheses are nested more than \(Parser.maxDepth) deep here")
          position += 1
          return
        }
        (negation, dangling) = (nil, nil)
        open.append((position, isNegated != (open.last?.isNegative ?? false)))
        position += 1
        return parts.append(.open(isNegated: isNegated))
      }
      guard var term = try readTerm(isFirst: start == position) else { return }
      term.isNegated = isNegated
      term.isPositive = isNegated == (open.last?.isNegative ?? false)
      term.isTop = open.isEmpty
      (negation, dangling) = (nil, nil)
      parts.append(.term(term))
    }

    // MARK: Terms

    /// Reads a term. Returns nil if it is an operator, or has nothing to search for.
    private mutating func readTerm(isFirst: Bool) throws(ItemPredicateError) -> Term? {
      let start = position
      if peek() == "\"" {
        let (text, isPrefix) = try readText()
        return text.isEmpty ? nil : Term(kind: isPrefix ? .prefix : .word, text: text, offset: start)
      }
      if peek() == "~", let next = peek(1), !endsWord(next) {
        position += 1
        let text = peek() == "\"" ? try readQuoted() : readBare()
        return text.isEmpty ? nil : Term(kind: .fuzzy, text: text, offset: start)
      }
      if let field = readField() { return try readValue(of: field, at: start) }
      let (text, isPrefix) = try readText()
      if isFirst, !isPrefix, try readKeyword(text, at: start) { return nil }
      return Term(kind: isPrefix ? .prefix : .word, text: text, offset: start)
    }

    /// Reads a phrase or a word, and the `*` after it.
    private mutating func readText() throws(ItemPredicateError) -> (String, isPrefix: Bool) {
      if peek() == "\"" {
        let text = try readQuoted()
        let isPrefix = peek() == "*"
        if isPrefix { position += 1 }
        return (text, isPrefix)
      }
      let text = readBare()
      return text.utf8.count > 1 && text.utf8.last == UInt8(ascii: "*")
        ? (String(text.unicodeScalars.dropLast()), true) : (text, false)
    }

    /// Reads a text in quotes, in which `\"` is a quote and `\\` a backslash.
    private mutating func readQuoted() throws(ItemPredicateError) -> String {
      let start = position
      var text = String.UnicodeScalarView()
      position += 1
      while let scalar = peek() {
        position += 1
        if scalar == "\"" { return String(text) }
        if scalar == "\\", let next = peek(), next == "\"" || next == "\\" {
          text.append(next)
          position += 1
        } else {
          text.append(scalar)
        }
      }
      try fail(at: start, "this quote is not closed")
      return String(text)
    }

    /// Reads up to a space, or a parenthesis that closes one before the word.
    private mutating func readBare(untilDots: Bool = false) -> String {
      let start = position
      var depth = 0
      while let scalar = peek(), !scalar.properties.isWhitespace {
        if untilDots, scalar == ".", peek(1) == "." { break }
        if scalar == "(" { depth += 1 }
        if scalar == ")" {
          if depth == 0, endsWord(scalar) { break }
          depth -= 1
        }
        position += 1
      }
      return text(start..<position)
    }

    private func endsWord(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isWhitespace || scalar == ")" && (!open.isEmpty || !isLenient)
    }

    // MARK: Fields

    /// Reads a field path and the colon after it. Reads nothing and returns nil if there is none.
    private mutating func readField() -> String? {
      guard let end = endOfPath(from: position), end < scalars.count, scalars[end] == ":" else { return nil }
      let next = end + 1 < scalars.count ? scalars[end + 1] : nil
      if next == ":" || next == "/" && end + 2 < scalars.count && scalars[end + 2] == "/" { return nil }
      let name = text(position..<end)
      guard Parser.path(name) != nil else { return nil }
      position = end + 1
      return name
    }

    /// Returns the end of what may be a field path: names, keys in backquotes, and what is between them.
    private func endOfPath(from start: Int) -> Int? {
      guard start < scalars.count,
        scalars[start].properties.isIDStart || "_@`".unicodeScalars.contains(scalars[start])
      else { return nil }
      var quotes = PathQuotes()
      for place in start..<min(scalars.count, start + Parser.maxPath) {
        let scalar = scalars[place]
        if quotes.read(scalar) { continue }
        guard scalar.properties.isIDContinue || "_-@.[]".unicodeScalars.contains(scalar) else { return place }
      }
      return min(scalars.count, start + Parser.maxPath)
    }

    private static func path(_ text: String) -> FieldPath? {
      guard let path = try? FieldPath(parsing: text) else { return nil }
      return text.utf8.first == UInt8(ascii: "@") && PseudoField(path) == nil ? nil : path
    }

    private mutating func readValue(of name: String, at start: Int) throws(ItemPredicateError) -> Term? {
      guard let scalar = peek(), !endsWord(scalar) else { return try incomplete(name, at: start) }
      if name == "has" || name == "no" { return try readPresence(name, at: start) }
      guard let field = Parser.path(name) else { return nil }
      if scalar == "(" {
        try fail(at: position, "write the field before each word: (\(name):a OR \(name):b)")
      }
      if let sign = readSign() {
        guard let scalar = peek(), !endsWord(scalar) else { return try incomplete(name, at: start) }
        let written = try readValue()
        var values = [try operand(written)]
        switch values[0] {
        // A word that looks like a number or a boolean is compared as a string, too.
        case .value(.number), .value(.bool): if sign == "=" { values.append(.value(.string(written.text))) }
        default: break
        }
        return Term(
          kind: sign == "=" ? .equal : .ordered(sign), text: written.text, field: field, values: values,
          offset: start)
      }
      if let range = try readRange(of: field, at: start) { return range }
      let (text, isPrefix) = try readText()
      if text.isEmpty { return try incomplete(name, at: start) }
      return Term(kind: isPrefix ? .prefix : .word, text: text, field: field, offset: start)
    }

    /// A name without a value: its colon is not typed for the text, so it is only a word as long as a person is
    /// typing.
    private func incomplete(_ name: String, at start: Int) throws(ItemPredicateError) -> Term? {
      try fail(
        at: start, "a value is missing after `\(text(start..<position))`; to search for it, put it in quotes")
      return Term(kind: .word, text: name, offset: start)
    }

    private mutating func readPresence(_ name: String, at start: Int) throws(ItemPredicateError) -> Term? {
      let end = endOfPath(from: position) ?? position
      guard end == scalars.count || endsWord(scalars[end]), let field = Parser.path(text(position..<end))
      else {
        try fail(
          at: position, "expected the name of a field after `\(name):`; to search for it, put it in quotes")
        return Term(kind: .word, text: "\(name):" + readBare(), offset: start)
      }
      position = end
      return Term(kind: name == "has" ? .has : .no, text: "", field: field, offset: start)
    }

    private mutating func readSign() -> String? {
      guard
        let sign = [">=", "<=", ">", "<", "="].first(where: {
          scalars[position...].starts(with: $0.unicodeScalars)
        })
      else { return nil }
      position += sign.unicodeScalars.count
      return sign
    }

    /// Reads `a..b`, `a..` or `..b`. Reads nothing and returns nil for anything else.
    private mutating func readRange(of field: FieldPath, at start: Int) throws(ItemPredicateError)
      -> Term?
    {
      let first = position
      let lower = isAtDots ? nil : try readValue(untilDots: true)
      // Three dots are an ellipsis.
      guard isAtDots, peek(2) != "." else {
        position = first
        return nil
      }
      position += 2
      let upper: Written? = if let scalar = peek(), !endsWord(scalar) { try readValue() } else { nil }
      let values = try [lower, upper].compactMap(\.self).map { value throws(ItemPredicateError) in
        try operand(value)
      }
      if values.isEmpty {
        position = first
        return nil
      }
      let kind: Term.Kind =
        values.count == 2 ? .between : .ordered(lower == nil ? "<=" : ">=")
      return Term(kind: kind, text: text(first..<position), field: field, values: values, offset: start)
    }

    private var isAtDots: Bool { peek() == "." && peek(1) == "." }

    // MARK: Values

    private typealias Written = (text: String, isQuoted: Bool, offset: Int)

    private mutating func readValue(untilDots: Bool = false) throws(ItemPredicateError) -> Written {
      let start = position
      let isQuoted = peek() == "\""
      return (isQuoted ? try readQuoted() : readBare(untilDots: untilDots), isQuoted, start)
    }

    /// The value that a field is compared with: a day such as `@today+7d`, a number, a boolean, a date or a
    /// string. In quotes it is a string or a date.
    private func operand(_ written: Written) throws(ItemPredicateError) -> PredicateOperand {
      let text = written.text
      if written.isQuoted { return PredicateOperand(.string(text)) }
      if text.utf8.first == UInt8(ascii: "@") {
        if let day = Parser.day(text) { return .today(day) }
        try fail(
          at: written.offset, "expected a day such as @today or @today+7d; put any other text in quotes")
      }
      switch Value(plain: text) {
      case .number(let number) where Number(json: number.description) != nil: return .value(.number(number))
      case .bool(let flag): return .value(.bool(flag))
      default: return PredicateOperand(.string(text))
      }
    }

    private static func day(_ text: String) -> DayOffset? {
      let rest = text.dropFirst("@today".count)
      let spaced = rest.isEmpty ? text : "@today \(rest.prefix(1)) \(rest.dropFirst())"
      return text.hasPrefix("@today") ? (try? MomentWord(spaced))?.offset : nil
    }

    // MARK: Scalars

    private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
      position + distance < scalars.count ? scalars[position + distance] : nil
    }

    private func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }
  }
}
