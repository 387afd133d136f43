/// Text from a file, made safe for a terminal: nothing in it can move the cursor, change colours,
/// ring the bell, hide text or reverse a line.
///
/// Control characters (C0, DEL, C1), line and paragraph separators, bidirectional controls, invisible
/// characters and unassigned code points are shown as escapes, in Python's notation: `\n`, `\t`,
/// `\r`, `\x1b`, `\u202e`, `\U000e0041`. A backslash is not doubled: the text is for people, not for
/// parsing. Joiners, variation selectors and combining marks are kept after a visible character. A
/// mark without a base character is an escape, and so is each one after the 30th on one character.
package enum DisplayText {
  /// Appends `text` as UTF-8 and returns its width in terminal columns.
  ///
  /// A text wider than `limit` is cut between two characters and ends in `…`. A negative limit
  /// gives no text. Linear in the shown part, whatever the length of `text`.
  package static func append(_ text: String, limit: Int = .max, to bytes: inout [UInt8]) -> Int {
    var text = text
    if let width = text.withUTF8({ appendPlain($0, limit, &bytes) }) { return width }
    var line = CutLine(bytes, limit: limit)
    bytes = []
    append(text, to: &line)
    bytes = line.bytes
    return line.width
  }

  /// Returns the width that `append` would return.
  package static func width(of text: String, limit: Int = .max) -> Int {
    var text = text
    if let width = text.withUTF8({ plainWidth($0, limit) }) { return width }
    var line = CutLine([], limit: limit)
    append(text, to: &line)
    return line.width
  }

  /// True if `append` would not cut the text. A cut text can be narrower than its limit.
  package static func fits(_ text: String, in limit: Int) -> Bool {
    var text = text
    if limit <= 0 { return text.isEmpty }
    if text.withUTF8({ plainWidth($0, limit) }) != nil { return text.utf8.count <= limit }
    var line = CutLine([], limit: limit)
    append(text, to: &line)
    return !line.isFull
  }

  /// Returns `text` as `append` writes it.
  package static func safe(_ text: String, limit: Int = .max) -> String {
    var bytes: [UInt8] = []
    _ = append(text, limit: limit, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Calls `body` with each part of the safe text that a terminal draws as one, and with its width: a
  /// grapheme cluster, or the escape of one character. Stops when `body` returns false, and reads no
  /// further, except in ASCII.
  package static func forEachPart(of text: String, _ body: (String.UnicodeScalarView, Int) -> Bool) {
    for character in text where !visit(character, body) { return }
  }

  /// Returns the lines of a text, each made safe. Line breaks (LF) are kept.
  package static func safeLines(_ bytes: [UInt8]) -> [UInt8] {
    let lines = String(decoding: bytes, as: UTF8.self).unicodeScalars
      .split(separator: "\n", omittingEmptySubsequences: false)
    return Array(lines.map { safe(String($0)) }.joined(separator: "\n").utf8)
  }

  /// Returns `text` with each non-ASCII character as an escape, to distinguish texts that look the same.
  package static func spelledOut(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += $1.isASCII ? String($1) : escape($1) }
  }

  /// Returns the escape of a character.
  package static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default:
      let digits = String(scalar.value, radix: 16)
      let (mark, length) = scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x1_0000 ? ("u", 4) : ("U", 8)
      return "\\" + mark + String(repeating: "0", count: length - digits.count) + digits
    }
  }

  private static func plainWidth(_ text: UnsafeBufferPointer<UInt8>, _ limit: Int) -> Int? {
    // Includes one byte after the limit: a combining mark there would belong to the last character.
    let seen = text.prefix(limit < .max ? max(limit, 0) + 1 : limit)
    guard seen.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
    return min(text.count, max(limit, 0))
  }

  private static func appendPlain(_ text: UnsafeBufferPointer<UInt8>, _ limit: Int, _ bytes: inout [UInt8])
    -> Int?
  {
    guard let width = plainWidth(text, limit) else { return nil }
    if text.count <= limit {
      bytes.append(contentsOf: text)
    } else if limit > 0 {
      bytes.append(contentsOf: text.prefix(limit - 1))
      bytes.append(contentsOf: "…".utf8)
    }
    return width
  }

  /// The maximum number of marks per character, as in the Stream-Safe Text Format of Unicode's annex 15.
  private static let maxMarks = 30

  private static func append(_ text: String, to line: inout CutLine) {
    if line.isFull { return }
    forEachPart(of: text) { line.append($0, $1) }
  }

  private static func visit(_ character: Character, _ body: (String.UnicodeScalarView, Int) -> Bool) -> Bool {
    var shown = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in character.unicodeScalars {
      if shown.count <= maxMarks, isShown(scalar, after: previous, in: character) {
        shown.append(scalar)
        previous = scalar
        continue
      }
      guard visit(shown, body), visit(escape(scalar).unicodeScalars, body) else { return false }
      shown = String.UnicodeScalarView()
      previous = nil
    }
    return visit(shown, body)
  }

  /// Calls `body` with scalars that are shown together. If the first one has no width, such as a
  /// Hangul vowel without a consonant, it would join the character before: all become escapes.
  private static func visit(
    _ scalars: String.UnicodeScalarView, _ body: (String.UnicodeScalarView, Int) -> Bool
  ) -> Bool {
    guard let first = scalars.first else { return true }
    if DisplayWidth.columns(of: first) > 0 { return body(scalars, DisplayWidth.columns(of: scalars)) }
    return scalars.allSatisfy { scalar in
      let escaped = escape(scalar).unicodeScalars
      return body(escaped, escaped.count)
    }
  }

  /// Returns true if a scalar is shown as it is, after `previous` in the same character.
  private static func isShown(
    _ scalar: Unicode.Scalar, after previous: Unicode.Scalar?, in character: Character
  ) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
      return false
    case .nonspacingMark, .enclosingMark:
      return previous != nil
    case .format:
      return isShown(format: scalar, after: previous, in: character)
    default:
      return !properties.isDefaultIgnorableCodePoint
    }
  }

  private static func isShown(
    format scalar: Unicode.Scalar, after previous: Unicode.Scalar?, in character: Character
  ) -> Bool {
    switch scalar.value {
    case 0x200C, 0x200D:  // After ASCII, joiners only make different words look the same.
      previous.map { !$0.isASCII } ?? false
    case 0xE0020...0xE007F:  // The letters of the flags of England, Scotland and Wales.
      previous != nil && character.unicodeScalars.first?.value == 0x1F3F4
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD:  // Visible signs around digits.
      true
    default:
      false
    }
  }
}

private struct CutLine {
  private(set) var bytes: [UInt8]
  private(set) var width = 0
  private(set) var isFull = false
  private let limit: Int
  /// The longest prefix that leaves room for the `…`.
  private var cut: (count: Int, width: Int)

  init(_ bytes: [UInt8], limit: Int) {
    self.bytes = bytes
    self.limit = limit
    cut = (bytes.count, 0)
    isFull = limit <= 0
  }

  mutating func append(_ scalars: String.UnicodeScalarView, _ columns: Int) -> Bool {
    guard width + columns <= limit else {
      bytes.removeSubrange(cut.count...)
      bytes.append(contentsOf: "…".utf8)
      width = cut.width + 1
      isFull = true
      return false
    }
    bytes.append(contentsOf: String(scalars).utf8)
    width += columns
    if width < limit { cut = (bytes.count, width) }
    return true
  }
}
