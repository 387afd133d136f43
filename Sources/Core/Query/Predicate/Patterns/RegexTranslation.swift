/// A regular expression as PCRE2 gets it.
///
/// Versions of PCRE2 disagree about `\w` and `\b`, and do not count accents that are separate
/// scalars as parts of words. So these are replaced by sets of scalars. `\u00e9`, `\U0001F600` and
/// `\0101`, which PCRE2 does not have or reads differently, become `\x{…}`. Set operations within
/// brackets, which PCRE2 would read as something else, are refused. White space in a set of an
/// extended pattern `(?x)` is removed.
struct RegexTranslation {
  private(set) var bytes: [UInt8] = []
  private let source: [UInt8]
  private var offset = 0
  /// The places after replacements: the size of `bytes`, and the offset in the source.
  private var places: [(target: Int, source: Int)] = []
  /// True for each open group, and for the pattern itself, if white space and comments are ignored.
  private var isExtended = [false]

  /// The scalars of words, between brackets: letters, marks, digits, connectors and joiners.
  private static let word = #"\x{200c}\x{200d}\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}"#
  /// All other scalars, and the joiners: PCRE2 has no difference of sets.
  private static let notWord = #"\p{C}\p{No}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}\p{S}\p{Z}"#
  private static let boundary = "(?:(?<=[\(word)])(?![\(word)])|(?<![\(word)])(?=[\(word)]))"
  private static let noBoundary = "(?:(?<=[\(word)])(?=[\(word)])|(?<![\(word)])(?![\(word)]))"

  /// Throws an error for a set operation. Other mistakes are left to PCRE2.
  init(_ pattern: String) throws(ItemPredicateError) {
    source = Array(pattern.utf8)
    bytes.reserveCapacity(source.count)
    while let sign = peek() {
      switch sign {
      case "\\": translateEscape(isInSet: false)
      case "[": try translateSet()
      case "(": openGroup()
      case ")":
        if isExtended.count > 1 { isExtended.removeLast() }
        copy(1)
      case "#" where isExtended.last == true: copy(through: "\n")
      default: copy(1)
      }
    }
  }

  func sourceOffset(of target: Int) -> Int {
    let place = places.last { $0.target <= target } ?? (0, 0)
    return min(place.source + target - place.target, source.count)
  }

  /// Returns the sign at a distance. A byte that is not ASCII is none of the signs of a pattern.
  private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    offset + distance < source.count ? Unicode.Scalar(source[offset + distance]) : nil
  }

  private func isNext(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { source[offset...].starts(with: $0) }
  }

  private mutating func copy(_ count: Int) {
    let end = min(offset + count, source.count)
    bytes += source[offset..<end]
    offset = end
  }

  private mutating func copy(through end: Unicode.Scalar) {
    while let sign = peek(), sign != end { copy(1) }
    copy(1)
  }

  private mutating func replace(_ count: Int, by text: String) {
    bytes += text.utf8
    offset = min(offset + count, source.count)
    places.append((bytes.count, offset))
  }

  // MARK: Groups

  /// Copies the start of a group, and its options: `(?x:` and `(?x)`.
  private mutating func openGroup() {
    if isNext("(?#") { return copy(through: ")") }
    let outer = isExtended.last ?? false
    var inner = outer
    if isNext("(?") {
      var options: [Unicode.Scalar] = []
      while let sign = peek(2 + options.count),
        "-^".unicodeScalars.contains(sign) || ("a"..."z").contains(sign)
      {
        options.append(sign)
      }
      let on = options.prefix { $0 != "-" }
      if on.first == "^" { inner = false }
      if options.dropFirst(on.count).contains("x") { inner = false }
      if on.contains("x") { inner = true }
      switch peek(2 + options.count) {
      case ")":
        isExtended[isExtended.count - 1] = inner
        return copy(3 + options.count)
      case ":": break
      default: inner = outer
      }
    }
    isExtended.append(inner)
    copy(1)
  }

  // MARK: Escapes

  private mutating func translateEscape(isInSet: Bool) {
    switch peek(1) {
    case "w": replace(2, by: isInSet ? Self.word : "[\(Self.word)]")
    case "W": replace(2, by: isInSet ? Self.notWord : "[^\(Self.word)]")
    case "b" where !isInSet && peek(2) != "{": replace(2, by: Self.boundary)
    case "B" where !isInSet: replace(2, by: Self.noBoundary)
    case "u": translateScalar(digits: 4)
    case "U": translateScalar(digits: 8)
    case "0": translateOctal()
    case "Q": copyQuotation()
    case "p", "P":
      copy(2)
      if peek() == "{" { copy(through: "}") }
    default: copy(2)
    }
  }

  private mutating func copyQuotation() {
    copy(2)
    while offset < source.count, !isNext("\\E") { copy(1) }
    copy(2)
  }

  /// Replaces `\u00e9` or `\U0001F600`. Two surrogates are one scalar. PCRE2 refuses what is left.
  private mutating func translateScalar(digits: Int) {
    guard let value = number(at: offset + 2, digits: digits, radix: 16) else { return copy(2) }
    if digits == 4, (0xD800..<0xDC00).contains(value), peek(6) == "\\", peek(7) == "u",
      let low = number(at: offset + 8, digits: 4, radix: 16), (0xDC00..<0xE000).contains(low)
    {
      return replace(12, by: "\\x{\(String(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00), radix: 16))}")
    }
    replace(2 + digits, by: "\\x{\(String(value, radix: 16))}")
  }

  private mutating func translateOctal() {
    for digits in [3, 2, 1] {
      guard let value = number(at: offset + 2, digits: digits, radix: 8), value <= 0o377 else { continue }
      return replace(2 + digits, by: "\\x{\(String(value, radix: 16))}")
    }
    copy(2)
  }

  /// Returns the number that exactly this number of digits write.
  private func number(at start: Int, digits: Int, radix: Int) -> Int? {
    guard start + digits <= source.count else { return nil }
    let text = source[start..<start + digits]
    guard !text.contains(where: "+-".utf8.contains) else { return nil }
    return Int(String(decoding: text, as: UTF8.self), radix: radix)
  }

  // MARK: Sets

  /// Copies a set in brackets, and translates its escapes.
  private mutating func translateSet() throws(ItemPredicateError) {
    let start = offset
    copy(peek(1) == "^" ? 2 : 1)
    // At the start, a bracket is one of the set's scalars.
    if peek() == "]" { copy(1) }
    while let sign = peek() {
      switch sign {
      case "]": return copy(1)
      case "\\":
        let isSet = peek(1).map("dDhHpPsSvVwW".unicodeScalars.contains) ?? false
        translateEscape(isInSet: true)
        // `[\w-.]` has a hyphen, and no range.
        if isSet, peek() == "-", peek(1) != "]", !isNext("--") {
          replace(1, by: "\\-")
        }
      case "[" where isNext("[:"):
        copy(2)
        copy(through: "]")
      case " " where isExtended.last == true, "\t"..."\r" where isExtended.last == true: offset += 1
      case _ where sign == "[" || isNext("&&") || isNext("--"):
        // Without a closing bracket, PCRE2 reports that.
        guard source[offset...].contains(UInt8(ascii: "]")) else { return copy(source.count) }
        throw setOperation(from: start)
      default: copy(1)
      }
    }
  }

  private func setOperation(from start: Int) -> ItemPredicateError {
    let column = String(decoding: source[...start], as: UTF8.self).count
    return ItemPredicateError(
      at: 0,
      """
      the set at character \(column) of the pattern uses `[`, `&&` or `--`; put a backslash before it, \
      or use lookahead: (?![aeiou])[a-z]
      """)
  }
}
