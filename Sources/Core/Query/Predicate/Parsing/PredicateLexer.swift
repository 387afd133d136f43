import Values

/// Splits a predicate into tokens, one at a time, so that the leftmost error is reported.
struct PredicateLexer {
  private let scalars: [Unicode.Scalar]
  private var arguments: ArraySlice<PredicateFormat.Argument>
  private var position = 0
  /// The beginning of the next interpolated value, or the end. No other token extends past it.
  private var limit: Int
  /// The offset of the next token, or of the spaces before it.
  var offset: Int { position }
  /// The end of the last token if a dot and a key can follow it; otherwise -1.
  private var endOfKey = -1
  /// True if the last token was such a dot.
  private var isBelowKey = false

  init(_ format: PredicateFormat) {
    scalars = Array(format.text.unicodeScalars)
    arguments = format.arguments[...]
    limit = arguments.first?.range.lowerBound ?? scalars.count
  }

  mutating func next() throws(ItemPredicateError) -> PredicateToken {
    while let scalar = peek(), scalar.properties.isWhitespace { position += 1 }
    let start = position
    let kind = try kind()
    switch kind {
    case .word, .quotedKey, .at, .symbol(.closeBracket), .argument(.path, _): endOfKey = position
    default: endOfKey = -1
    }
    isBelowKey = kind == .symbol(.dot)
    return PredicateToken(kind: kind, range: start..<position)
  }

  private mutating func kind() throws(ItemPredicateError) -> PredicateToken.Kind {
    guard let scalar = peek() else { return argument() ?? .end }
    switch scalar {
    case "\"", "'": return .string(try string(quote: scalar))
    case "`": return .quotedKey(try quotedKey())
    case "@":
      position += 1
      return .at("@" + word())
    case "." where endOfKey == position:
      position += 1
      return .symbol(.dot)
    case "-", "+", ".", "0"..."9":
      if let literal = try numberOrDate() { return literal }
    default: break
    }
    if PredicateLexer.beginsWord(scalar) || (isBelowKey && PredicateLexer.continuesWord(scalar)) {
      return .word(word())
    }
    return symbol()
  }

  /// Reads the interpolated value that begins here. Returns nil at the end of the text.
  private mutating func argument() -> PredicateToken.Kind? {
    guard let argument = arguments.popFirst() else { return nil }
    position = argument.range.upperBound
    limit = arguments.first?.range.lowerBound ?? scalars.count
    return .argument(argument.value, id: argument.id)
  }

  private mutating func symbol() -> PredicateToken.Kind {
    let ahead = String(String.UnicodeScalarView(scalars[position..<min(position + 2, limit)]))
    if let symbol = PredicateToken.Symbol.longestFirst.first(where: {
      ahead.unicodeScalars.starts(with: $0.rawValue.unicodeScalars)
    }) {
      position += symbol.rawValue.unicodeScalars.count
      return .symbol(symbol)
    }
    let start = position
    position += 1
    while let scalar = peek(), "=<>!~&|^%*+-/".unicodeScalars.contains(scalar) { position += 1 }
    return .unknown(text(start..<position))
  }

  // MARK: Words

  private static func beginsWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isIDStart
  }

  private static func continuesWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "-" || scalar.properties.isIDContinue
  }

  /// Reads a word. A `-` at its end is not part of it.
  private mutating func word() -> String {
    let start = position
    while let scalar = peek(), PredicateLexer.continuesWord(scalar) { position += 1 }
    while position > start + 1, scalars[position - 1] == "-" { position -= 1 }
    return text(start..<position)
  }

  /// Returns true if a key can be written without backquotes wherever a path can be.
  static func isName(_ key: String) -> Bool {
    guard let first = key.unicodeScalars.first, beginsWord(first),
      key.unicodeScalars.allSatisfy(continuesWord)
    else { return false }
    return !key.hasSuffix("-") && !["SELF", "IS"].contains(key.uppercased())
      && PredicateToken.Keyword(rawValue: key.uppercased()) == nil
  }

  private mutating func quotedKey() throws(ItemPredicateError) -> String {
    let start = position
    var key = String.UnicodeScalarView()
    position += 1
    while let scalar = readScalar() {
      if scalar == "`" {
        guard peek() == "`" else { return String(key) }
        position += 1
      }
      key.append(scalar)
    }
    throw unclosed("backquote", at: start)
  }

  // MARK: Numbers and dates

  /// Reads a number or a date. Returns nil and reads nothing if there is none.
  private mutating func numberOrDate() throws(ItemPredicateError) -> PredicateToken.Kind? {
    let start = position
    if isBelowKey { return nil }
    if let date = try date() { return date }
    if let fault = dateInOtherNotation() { throw fault }
    if peek() == "-" { position += 1 }
    let digits = skipDigits()
    if peek() == "." {
      position += 1
      if skipDigits() == 0 {
        if digits > 0 { throw ItemPredicateError(at: position, "expected digits after the decimal point") }
        position = start
        return nil
      }
    } else if digits == 0 {
      position = start
      return nil
    }
    skipExponent()
    if let scalar = peek(), PredicateLexer.continuesWord(scalar) {
      if scalar == "-" {
        throw ItemPredicateError(at: position, "expected the end of the number; there is no arithmetic")
      }
      throw ItemPredicateError(
        at: start,
        "expected a number; write a field name that begins with a digit in backquotes and a string in quotes")
    }
    guard case .number(let number) = Value(plain: text(start..<position)) else {
      throw ItemPredicateError(at: start, "expected a number")
    }
    return .number(number)
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while let scalar = peek(), ("0"..."9").contains(scalar) { position += 1 }
    return position - start
  }

  private mutating func skipExponent() {
    let start = position
    guard let scalar = readScalar(), scalar == "e" || scalar == "E" else {
      position = start
      return
    }
    if peek() == "-" || peek() == "+" { position += 1 }
    if skipDigits() == 0 { position = start }
  }

  /// Reads `2024-01-31`, and a time after a `T`.
  private mutating func date() throws(ItemPredicateError) -> PredicateToken.Kind? {
    let start = position
    func isDigit(_ offset: Int) -> Bool {
      start + offset < limit && ("0"..."9").contains(scalars[start + offset])
    }
    guard [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy(isDigit), scalars[start + 4] == "-", scalars[start + 7] == "-"
    else { return nil }
    position += 10
    while let scalar = peek(), PredicateLexer.continuesWord(scalar) || ":.+".unicodeScalars.contains(scalar) {
      position += 1
    }
    let text = text(start..<position)
    guard let date = Timestamp(text) else {
      throw ItemPredicateError(
        at: start,
        "`\(text.prefix(40))` is not a valid date; write a date as `2024-01-31` or `2024-01-31T10:00:00Z`")
    }
    return .date(date)
  }

  /// Returns the error for a date that is written as in `31.12.2026`, `12/31/2026` or `2026-1-5`.
  private func dateInOtherNotation() -> ItemPredicateError? {
    let run = scalars[position..<min(position + 11, limit)].prefix {
      ("0"..."9").contains($0) || "./-".unicodeScalars.contains($0)
    }
    let parts = run.split(omittingEmptySubsequences: false) { !("0"..."9").contains($0) }.map {
      String(String.UnicodeScalarView($0))
    }
    let signs = Set(run.filter { !("0"..."9").contains($0) })
    guard parts.count == 3, signs.count == 1 else { return nil }
    let isYearFirst = parts[0].utf8.count == 4
    let others = isYearFirst ? parts[1...] : parts[..<2]
    guard parts[isYearFirst ? 0 : 2].utf8.count == 4, others.allSatisfy({ (1...2).contains($0.utf8.count) })
    else { return nil }
    func date(_ year: Int, _ month: Int, _ day: Int) -> Timestamp? {
      let padded = { (part: String) in part.utf8.count == 1 ? "0\(part)" : part }
      return Timestamp("\(parts[year])-\(padded(parts[month]))-\(padded(parts[day]))")
    }
    // Only a point says that the day comes first.
    let dates =
      isYearFirst ? [date(0, 1, 2)] : signs == ["."] ? [date(2, 1, 0)] : [date(2, 0, 1), date(2, 1, 0)]
    let known = Set(dates.compactMap(\.self))
    return ItemPredicateError(
      at: position, "write a date as `\(known.count == 1 ? known.first?.text ?? "" : "2024-01-31")`")
  }

  /// Reads `- 30d` after `@today`. Returns nil and reads nothing if there is no sign.
  mutating func dayOffset() throws(ItemPredicateError) -> DayOffset? {
    let start = position
    while let scalar = peek(), scalar.properties.isWhitespace { position += 1 }
    guard let sign = peek(), sign == "+" || sign == "-" else {
      position = start
      return nil
    }
    let place = position
    let hasBlankBefore = place > start
    position += 1
    let end = position
    while let scalar = peek(), scalar.properties.isWhitespace { position += 1 }
    guard hasBlankBefore, position > end else { throw PredicateLexer.missingBlanks(at: place) }
    let first = position
    guard skipDigits() > 0 else {
      throw ItemPredicateError(
        at: position, "expected a number with a unit (d, w, m or y), as in `@today \(sign) 30d`")
    }
    let digits = text(first..<position)
    let unitStart = position
    guard let unit = DayOffset.Unit(rawValue: word()) else {
      throw ItemPredicateError(
        at: unitStart,
        "expected one of the units d (days), w (weeks), m (months) and y (years) right after the number")
    }
    guard let count = Int(digits), count <= DayOffset.maxCount else {
      throw ItemPredicateError(at: first, "a distance from @today is at most \(DayOffset.maxCount)")
    }
    return DayOffset(count: sign == "-" ? -count : count, unit: unit)
  }

  static func missingBlanks(at offset: Int) -> ItemPredicateError {
    ItemPredicateError(at: offset, "expected a space on each side of the sign, as in `@today - 30d`")
  }

  // MARK: Strings

  private mutating func string(quote: Unicode.Scalar) throws(ItemPredicateError) -> String {
    let start = position
    var text = String.UnicodeScalarView()
    position += 1
    while let scalar = readScalar() {
      if scalar == quote { return String(text) }
      if scalar == "\\" { try appendEscape(to: &text) } else { text.append(scalar) }
    }
    throw unclosed("quote", at: start)
  }

  /// Returns the error for a quote that is open at the end of the text or at an interpolated value.
  private func unclosed(_ sign: String, at start: Int) -> ItemPredicateError {
    arguments.isEmpty
      ? ItemPredicateError(at: start, "this \(sign) is not closed")
      : ItemPredicateError(
        at: limit,
        "expected the closing \(sign), but found an interpolated value here; write it without quotes")
  }

  /// Reads an escape. An unknown escape keeps its backslash, so that `"\d"` is the pattern `\d`.
  private mutating func appendEscape(to text: inout String.UnicodeScalarView) throws(ItemPredicateError) {
    let start = position - 1
    switch readScalar() {
    case nil: break
    case let scalar? where "\\\"'".unicodeScalars.contains(scalar): text.append(scalar)
    case "n": text.append("\n")
    case "r": text.append("\r")
    case "t": text.append("\t")
    case "u": text.append(try unicodeEscape(start))
    case let scalar?:
      text.append("\\")
      text.append(scalar)
    }
  }

  /// Reads `\u00e9`, a pair of surrogates, or `\u{e9}`.
  private mutating func unicodeEscape(_ start: Int) throws(ItemPredicateError) -> Unicode.Scalar {
    var value: UInt32?
    if peek() == "{" {
      position += 1
      let first = position
      while let scalar = peek(), scalar.properties.isASCIIHexDigit { position += 1 }
      value = UInt32(text(first..<position), radix: 16)
      if readScalar() != "}" { value = nil }
    } else {
      value = hex4()
      if let high = value, (0xD800..<0xDC00).contains(high), readScalar() == "\\", readScalar() == "u",
        let low = hex4(),
        (0xDC00..<0xE000).contains(low)
      {
        value = 0x1_0000 + (high - 0xD800) << 10 + (low - 0xDC00)
      }
    }
    guard let value, let scalar = Unicode.Scalar(value) else {
      throw ItemPredicateError(at: start, "expected the four hexadecimal digits of a character after `\\u`")
    }
    return scalar
  }

  private mutating func hex4() -> UInt32? {
    guard position + 4 <= limit, scalars[position..<position + 4].allSatisfy(\.properties.isASCIIHexDigit)
    else { return nil }
    defer { position += 4 }
    return UInt32(text(position..<position + 4), radix: 16)
  }

  // MARK: Scalars

  private func peek() -> Unicode.Scalar? { position < limit ? scalars[position] : nil }

  private mutating func readScalar() -> Unicode.Scalar? {
    guard position < limit else { return nil }
    position += 1
    return scalars[position - 1]
  }

  /// Returns the text up to the next space, comma or closing bracket, shortened for a message.
  func run(from start: Int) -> String {
    let run = scalars[start...].prefix { !$0.properties.isWhitespace && !",)}".unicodeScalars.contains($0) }
    return String(String.UnicodeScalarView(run)).excerpt
  }

  func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }
}

extension String {
  /// The text, or its beginning and an ellipsis, for a message: at most 60 Unicode scalars.
  var excerpt: String {
    unicodeScalars.count > 60 ? String(String.UnicodeScalarView(unicodeScalars.prefix(59))) + "…" : self
  }
}
