/// A strict JSON parser (RFC 8259) that returns one event at a time, with the bytes of each.
///
/// It accepts exactly the texts of RFC 8259 whose lists and maps nest at most `depthLimit` deep, but
/// leaves the escapes in strings to `unescape`. It never recurses, and is linear in the text.
struct JSONParser {
  enum Event {
    case beginList
    case endList
    case beginMap
    case endMap
    case key(Range<Int>, hasEscapes: Bool)
    case string(Range<Int>, hasEscapes: Bool)
    case number(Range<Int>)
    case bool(Bool)
    case null
    /// The value has ended, and only whitespace follows.
    case end
  }

  private enum State {
    case value
    case firstElement
    case firstKey
    case key
    case afterValue
    case end
  }

  let source: SourceText
  private(set) var start = 0
  /// The offset after the last byte of the last event.
  private(set) var position = 0
  private var isMap: [Bool] = []
  private var state = State.value
  private let depthLimit: Int

  init(_ source: SourceText, depthLimit: Int) {
    self.source = source
    self.depthLimit = depthLimit
  }

  /// Reads the next event, or throws the first error in the text; not to be called after that.
  mutating func next() throws(TextError) -> Event {
    skipBlanks()
    switch state {
    case .value: break
    case .firstElement:
      if peek(is: "]") { return close() }
    case .firstKey:
      if peek(is: "}") { return close() }
      return try key()
    case .key: return try key()
    case .afterValue:
      if isMap.isEmpty { return try end() }
      if let event = try separator() { return event }
    case .end: return .end
    }
    return try value()
  }

  /// Reads the comma between two values, in a map also the next key, or the end of the list or map.
  private mutating func separator() throws(TextError) -> Event? {
    let inMap = isMap.last == true
    if peek(is: inMap ? "}" : "]") { return close() }
    guard peek(is: ",") else {
      let closer = inMap ? "}" : "]"
      let unclosed = inMap ? SourceText.unclosedMap : SourceText.unclosedList
      throw error(position < source.bytes.count ? "A `,` or `\(closer)` was expected here." : unclosed)
    }
    let comma = position
    position += 1
    skipBlanks()
    if peek(is: "}") || peek(is: "]") {
      throw source.error(at: comma, "JSON does not allow a comma before a closing bracket. Remove it.")
    }
    if inMap { return try key() }
    state = .value
    return nil
  }

  private mutating func close() -> Event {
    start = position
    position += 1
    state = .afterValue
    return isMap.removeLast() ? .endMap : .endList
  }

  private mutating func open(map: Bool) throws(TextError) -> Event {
    guard isMap.count < depthLimit else {
      throw error(
        "Lists and maps are nested deeper than \(depthLimit) levels here. Make the structure flatter.")
    }
    start = position
    position += 1
    isMap.append(map)
    state = map ? .firstKey : .firstElement
    return map ? .beginMap : .beginList
  }

  private mutating func key() throws(TextError) -> Event {
    guard peek(is: "\"") else {
      throw error(
        position < source.bytes.count ? "A key in double quotes was expected here." : SourceText.unclosedMap)
    }
    let hasEscapes = try scanString()
    let range = start..<position
    skipBlanks()
    guard peek(is: ":") else { throw error("A `:` was expected here after the key.") }
    position += 1
    state = .value
    return .key(range, hasEscapes: hasEscapes)
  }

  private mutating func end() throws(TextError) -> Event {
    guard position == source.bytes.count else {
      throw error("More text follows after the end of the value. Remove it.")
    }
    state = .end
    return .end
  }

  private mutating func value() throws(TextError) -> Event {
    guard position < source.bytes.count else {
      throw error(
        isMap.isEmpty
          ? "The file contains no value. Write a map such as {\"title\": \"…\"}."
          : "The text ends where a value was expected. Add the value and the closing brackets.")
    }
    switch source.bytes[position] {
    case "{": return try open(map: true)
    case "[": return try open(map: false)
    case "\"":
      let hasEscapes = try scanString()
      state = .afterValue
      return .string(start..<position, hasEscapes: hasEscapes)
    case "-", "0"..."9":
      try scanNumber()
      state = .afterValue
      return .number(start..<position)
    default: return try word()
    }
  }

  private mutating func word() throws(TextError) -> Event {
    start = position
    while position < source.bytes.count, JSONParser.isWordByte(source.bytes[position]) { position += 1 }
    let text = UnsafeRawBufferPointer(rebasing: source.bytes[start..<position])
    state = .afterValue
    if text.equals("true") { return .bool(true) }
    if text.equals("false") { return .bool(false) }
    if text.equals("null") { return .null }
    throw source.error(at: start, JSONParser.wordSentence(text, source.bytes[start]))
  }

  private static func wordSentence(_ text: UnsafeRawBufferPointer, _ first: UInt8) -> String {
    switch first {
    case "'": return "JSON has no single quotes. Use double quotes."
    case "/", "#": return "JSON has no comments. Remove this one."
    case "+": return "A number cannot begin with `+` in JSON. Remove the sign."
    case ".": return "A number cannot begin with a decimal point in JSON. Write a 0 before it."
    case ",": return "A value is missing before this comma."
    case "]", "}": return "A value was expected here, not a closing bracket."
    default: break
    }
    let word = String(decoding: text.prefix(20), as: UTF8.self)
    switch word.lowercased() {
    case "true", "false", "null":
      return "`\(word)` must be written in lower case in JSON: `\(word.lowercased())`."
    case "nan", "infinity", "inf": return "JSON has no `\(word)`. Write null, or a string in double quotes."
    case "":
      return
        "A value was expected here: a string in double quotes, a number, true, false, null, a list or a map."
    default: return "`\(word)` is not a JSON value. Put double quotes around a string."
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

  /// Creates an error at the current position; at the end, at the last character, which an editor shows.
  func error(_ message: String) -> TextError {
    let isAtEnd = position >= source.bytes.count
    return source.error(at: isAtEnd ? source.endOfContent(in: 0..<source.bytes.count) : position, message)
  }

  private func peek(is character: Unicode.Scalar) -> Bool {
    position < source.bytes.count && source.bytes[position] == UInt8(ascii: character)
  }

  private mutating func skipBlanks() {
    while position < source.bytes.count {
      switch source.bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  /// Scans a string from the opening quote to the closing one. Returns true if it contains escapes.
  private mutating func scanString() throws(TextError) -> Bool {
    start = position
    position += 1
    var hasEscapes = false
    while true {
      skipStringText()
      guard position < source.bytes.count else { break }
      switch source.bytes[position] {
      case "\"":
        position += 1
        return hasEscapes
      case "\\":
        hasEscapes = true
        position += 2
      default:
        throw error(
          "A string contains a control character. Write it as an escape: \\n for a line break, \\t for a tab."
        )
      }
    }
    throw source.error(at: start, "This string is not closed. Add the closing quote.")
  }

  /// Moves to the next quote, backslash or control character. Reads eight bytes at a time.
  private mutating func skipStringText() {
    let bytes = source.bytes
    var index = position
    defer { position = index }
    while index + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let quotes = (word ^ 0x2222_2222_2222_2222).zeroBytes
      let escapes = (word ^ 0x5C5C_5C5C_5C5C_5C5C).zeroBytes
      let controls = (word & 0xE0E0_E0E0_E0E0_E0E0).zeroBytes
      if quotes | escapes | controls != 0 {
        index += (quotes | escapes | controls).trailingZeroBitCount / 8
        return
      }
      index += 8
    }
    while index < bytes.count, bytes[index] != "\"", bytes[index] != "\\",
      bytes[index] >= 0x20
    { index += 1 }
  }

  /// Scans `-? ( 0 | [1-9] [0-9]* ) ( \. [0-9]+ )? ( [eE] [-+]? [0-9]+ )?`.
  private mutating func scanNumber() throws(TextError) {
    start = position
    if peek(is: "-") { position += 1 }
    if peek(is: "0") {
      position += 1
      if position < source.bytes.count, JSONParser.isDigit(source.bytes[position]) {
        throw source.error(
          at: start,
          "A number cannot have leading zeros in JSON. Remove them, or put the digits in double quotes.")
      }
    } else {
      try scanDigits("A digit was expected here.")
    }
    if peek(is: ".") {
      position += 1
      try scanDigits("A digit was expected after the point.")
    }
    if peek(is: "e") || peek(is: "E") {
      position += 1
      if peek(is: "+") || peek(is: "-") { position += 1 }
      try scanDigits("A digit was expected in the exponent.")
    }
  }

  private mutating func scanDigits(_ message: String) throws(TextError) {
    let first = position
    while position < source.bytes.count, JSONParser.isDigit(source.bytes[position]) { position += 1 }
    if position == first { throw error(message) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// Replaces `text` by the string at `range`, which includes the quotes.
  func unescape(_ range: Range<Int>, into text: inout [UInt8]) throws(TextError) {
    text.removeAll(keepingCapacity: true)
    var index = range.lowerBound + 1
    let end = range.upperBound - 1
    while index < end {
      let escape = source.bytes.firstOffset(of: UInt8(ascii: "\\"), in: index..<end) ?? end
      text.append(contentsOf: UnsafeRawBufferPointer(rebasing: source.bytes[index..<escape]))
      index = escape
      if index == end { break }
      if source.bytes[index + 1] == "u" {
        let (scalar, length) = try scalar(at: index, end)
        text.append(contentsOf: String(scalar).utf8)
        index += length
      } else {
        text.append(try short(source.bytes[index + 1], at: index))
        index += 2
      }
    }
  }

  private func short(_ letter: UInt8, at index: Int) throws(TextError) -> UInt8 {
    switch letter {
    case "\"", "\\", "/": return letter
    case "n": return 0x0A
    case "t": return 0x09
    case "r": return 0x0D
    case "b": return 0x08
    case "f": return 0x0C
    default: throw source.error(at: index, "This escape does not exist in JSON. Write a backslash as `\\\\`.")
    }
  }

  /// Decodes `\u` and four digits, or two of them that form a surrogate pair.
  private func scalar(at index: Int, _ end: Int) throws(TextError) -> (Unicode.Scalar, length: Int) {
    let first = try unit(at: index, end)
    if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
    let isPairStart =
      UTF16.isLeadSurrogate(first) && index + 7 < end && source.bytes[index + 6] == "\\"
    if isPairStart, source.bytes[index + 7] == "u" {
      let second = try unit(at: index + 6, end)
      if UTF16.isTrailSurrogate(second) { return (UTF16.decode(UTF16.EncodedScalar([first, second])), 12) }
    }
    throw source.error(
      at: index, "This escape is half of a surrogate pair. Write both halves, or the character itself.")
  }

  private func unit(at index: Int, _ end: Int) throws(TextError) -> UInt16 {
    var value: UInt16 = 0
    for position in index + 2..<index + 6 {
      guard position < end, let digit = Character(Unicode.Scalar(source.bytes[position])).hexDigitValue else {
        throw source.error(at: index, "This escape has too few hexadecimal digits. Write four after \\u.")
      }
      value = value << 4 | UInt16(digit)
    }
    return value
  }
}
