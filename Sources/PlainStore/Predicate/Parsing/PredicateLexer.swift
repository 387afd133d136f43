import PlainText

/// Splits a predicate into tokens, one at a time, so that the leftmost error is reported.
struct PredicateLexer {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  /// The offset of the next token, or of the spaces before it.
  var offset: Int { position }
  /// The end of the last token if `.key` can follow it.
  private var endOfKey = -1
  /// True if the last token was that dot.
  private var isBelowKey = false

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  mutating func next() throws(PredicateFault) -> PredicateToken {
    while let scalar = peek(), scalar.properties.isWhitespace { position += 1 }
    let start = position
    let kind = try kind()
    switch kind {
    case .word, .quotedKey, .at, .symbol(.closeBracket): endOfKey = position
    default: endOfKey = -1
    }
    isBelowKey = kind == .symbol(.dot)
    return PredicateToken(kind: kind, range: start..<position)
  }

  private mutating func kind() throws(PredicateFault) -> PredicateToken.Kind {
    guard let scalar = peek() else { return .end }
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
    if PredicateLexer.beginsWord(scalar) || (isBelowKey && PredicateLexer.continuesWord(scalar)) { return .word(word()) }
    return symbol()
  }

  private mutating func symbol() -> PredicateToken.Kind {
    let ahead = String(String.UnicodeScalarView(scalars[position..<min(position + 2, scalars.count)]))
    if let symbol = PredicateSymbol.longestFirst.first(where: { ahead.unicodeScalars.starts(with: $0.rawValue.unicodeScalars) }) {
      position += symbol.rawValue.unicodeScalars.count
      return .symbol(symbol)
    }
    let start = position
    position += 1
    while let scalar = peek(), "=<>!~&|^%*+-/".unicodeScalars.contains(scalar) { position += 1 }
    return .unknown(text(start..<position))
  }

  // MARK: Words

  private static func beginsWord(_ scalar: Unicode.Scalar) -> Bool { scalar == "_" || scalar.properties.isIDStart }

  private static func continuesWord(_ scalar: Unicode.Scalar) -> Bool { scalar == "_" || scalar == "-" || scalar.properties.isIDContinue }

  /// Reads a word without a `-` at its end.
  private mutating func word() -> String {
    let start = position
    while let scalar = peek(), PredicateLexer.continuesWord(scalar) { position += 1 }
    while position > start + 1, scalars[position - 1] == "-" { position -= 1 }
    return text(start..<position)
  }

  private mutating func quotedKey() throws(PredicateFault) -> String {
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
    throw PredicateFault(at: start, "this backquote is not closed")
  }

  // MARK: Numbers and dates

  /// Reads a number or a date. Returns nil and reads nothing if there is none.
  private mutating func numberOrDate() throws(PredicateFault) -> PredicateToken.Kind? {
    let start = position
    if isBelowKey { return nil }
    if let date = try date() { return date }
    if peek() == "-" { position += 1 }
    let digits = skipDigits()
    if peek() == "." {
      position += 1
      if skipDigits() == 0 {
        if digits > 0 { throw PredicateFault(at: position, "expected digits after the decimal point") }
        position = start
        return nil
      }
    } else if digits == 0 {
      position = start
      return nil
    }
    skipExponent()
    if let scalar = peek(), PredicateLexer.continuesWord(scalar) {
      if scalar == "-" { throw PredicateFault(at: position, "expected the end of the number; there is no arithmetic") }
      throw PredicateFault(at: start, "expected a number; write a field name that begins with a digit in backquotes and a string in quotes")
    }
    guard case .number(let number) = Value(plain: text(start..<position)) else { throw PredicateFault(at: start, "expected a number") }
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
  private mutating func date() throws(PredicateFault) -> PredicateToken.Kind? {
    let start = position
    func isDigit(_ offset: Int) -> Bool { start + offset < scalars.count && ("0"..."9").contains(scalars[start + offset]) }
    guard [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy(isDigit), scalars[start + 4] == "-", scalars[start + 7] == "-" else { return nil }
    position += 10
    while let scalar = peek(), PredicateLexer.continuesWord(scalar) || ":.+".unicodeScalars.contains(scalar) { position += 1 }
    let text = text(start..<position)
    guard let date = Timestamp(text) else {
      throw PredicateFault(
        at: start, "`\(text.prefix(40))` is not a valid date; write a date as `2024-01-31` or `2024-01-31T10:00:00Z`")
    }
    return .date(date)
  }

  /// Reads `- 30d` after `@today`. Returns nil and reads nothing if there is no sign.
  mutating func dayOffset() throws(PredicateFault) -> DayOffset? {
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
      throw PredicateFault(at: position, "expected a number with a unit (d, w, m or y), as in `@today \(sign) 30d`")
    }
    let digits = text(first..<position)
    let unitStart = position
    guard let unit = DayOffset.Unit(rawValue: word()) else {
      throw PredicateFault(at: unitStart, "expected one of the units d (days), w (weeks), m (months) and y (years) right after the number")
    }
    guard let count = Int(digits), count <= DayOffset.maxCount else {
      throw PredicateFault(at: first, "a distance from @today is at most \(DayOffset.maxCount)")
    }
    return DayOffset(count: sign == "-" ? -count : count, unit: unit)
  }

  static func missingBlanks(at offset: Int) -> PredicateFault {
    PredicateFault(at: offset, "expected a space on each side of the sign, as in `@today - 30d`")
  }

  // MARK: Strings

  private mutating func string(quote: Unicode.Scalar) throws(PredicateFault) -> String {
    let start = position
    var text = String.UnicodeScalarView()
    position += 1
    while let scalar = readScalar() {
      if scalar == quote { return String(text) }
      if scalar == "\\" { try appendEscape(to: &text) } else { text.append(scalar) }
    }
    throw PredicateFault(at: start, "this quote is not closed")
  }

  /// Reads an escape. An unknown one is itself, so that `"\d"` is the pattern `\d`.
  private mutating func appendEscape(to text: inout String.UnicodeScalarView) throws(PredicateFault) {
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
  private mutating func unicodeEscape(_ start: Int) throws(PredicateFault) -> Unicode.Scalar {
    var value: UInt32?
    if peek() == "{" {
      position += 1
      let first = position
      while let scalar = peek(), scalar.properties.isASCIIHexDigit { position += 1 }
      value = UInt32(text(first..<position), radix: 16)
      if readScalar() != "}" { value = nil }
    } else {
      value = hex4()
      if let high = value, (0xD800..<0xDC00).contains(high), readScalar() == "\\", readScalar() == "u", let low = hex4(),
        (0xDC00..<0xE000).contains(low)
      {
        value = 0x1_0000 + (high - 0xD800) << 10 + (low - 0xDC00)
      }
    }
    guard let value, let scalar = Unicode.Scalar(value) else {
      throw PredicateFault(at: start, "expected the four hexadecimal digits of a character after `\\u`")
    }
    return scalar
  }

  private mutating func hex4() -> UInt32? {
    guard position + 4 <= scalars.count, scalars[position..<position + 4].allSatisfy(\.properties.isASCIIHexDigit) else { return nil }
    defer { position += 4 }
    return UInt32(text(position..<position + 4), radix: 16)
  }

  // MARK: Scalars

  private func peek() -> Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func readScalar() -> Unicode.Scalar? {
    guard position < scalars.count else { return nil }
    position += 1
    return scalars[position - 1]
  }

  func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }
}

/// An error at an offset in Unicode scalars, before its column is known.
struct PredicateFault: Error {
  let offset: Int
  let message: String

  init(at offset: Int, _ message: String) {
    self.offset = offset
    self.message = message
  }
}
