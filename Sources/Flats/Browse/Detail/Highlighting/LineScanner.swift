import Terminal

/// Reads a line from left to right, and records the spans of it that have a style.
struct LineScanner {
  /// The bytes of the line, without its end.
  let bytes: UnsafeRawBufferPointer
  /// The next byte.
  private(set) var offset = 0
  /// The spans so far. Together they reach from the start of the line to the last styled byte.
  private(set) var spans: [TextSpan] = []
  private let emits: Bool

  /// Creates a scanner at the start of a line.
  ///
  /// - Parameters:
  ///   - bytes: The line.
  ///   - emits: True to record spans. False if only the state after the line is wanted.
  init(_ bytes: UnsafeRawBufferPointer, emits: Bool) {
    (self.bytes, self.emits) = (bytes, emits)
  }

  /// True if spans are recorded.
  var isEmitting: Bool { emits }
  var isAtEnd: Bool { offset >= bytes.count }
  /// The next byte; nil at the end.
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Returns the byte at a distance from the next one; nil outside of the line.
  func peek(_ distance: Int) -> UInt8? {
    let index = offset + distance
    return bytes.indices.contains(index) ? bytes[index] : nil
  }

  /// True if the next byte is a blank or the line is at its end.
  func isBlank(at distance: Int = 0) -> Bool {
    guard let byte = peek(distance) else { return offset + distance >= bytes.count }
    return byte == 0x20 || byte == 0x09
  }

  /// Goes over a number of bytes in a style.
  mutating func advance(_ count: Int = 1, as ink: Style.Ink = .plain) {
    let end = min(offset + count, bytes.count)
    guard end > offset else { return }
    offset = end
    guard emits else { return }
    let style = Style(ink)
    if let last = spans.last, last.style == style { spans.removeLast() }
    spans.append(TextSpan(end: end, style: style))
  }

  /// Goes to an offset in a style.
  mutating func advance(to end: Int, as ink: Style.Ink = .plain) { advance(end - offset, as: ink) }

  /// Goes to the end of the line in a style.
  mutating func finish(as ink: Style.Ink = .plain) { advance(to: bytes.count, as: ink) }

  /// Goes over spaces and tabs.
  mutating func skipBlanks() {
    var end = offset
    while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
    advance(to: end)
  }

  /// The number of spaces from the next byte on.
  var spaces: Int {
    var end = offset
    while end < bytes.count, bytes[end] == 0x20 { end += 1 }
    return end - offset
  }

  /// True if the rest of the line is blank.
  var isRestBlank: Bool { bytes[offset...].allSatisfy { $0 == 0x20 || $0 == 0x09 } }

  /// Returns true if the rest of the line begins with a text.
  func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - offset >= count else { return false }
    return text.withUTF8Buffer { text in (0..<count).allSatisfy { bytes[offset + $0] == text[$0] } }
  }
}

/// Characters that several languages share.
enum LineBytes {
  /// Returns true if a text is written like a number, or like a word that is a value of its own.
  static func isLiteral(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
    isNumber(text) || [4, 5, 1].contains(text.count) && ["true", "false", "null", "~"].contains { text.elementsEqual($0.utf8) }
  }

  private static func isNumber(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let first = text.first, text.count <= 400 else { return false }
    let rest = first == UInt8(ascii: "-") || first == UInt8(ascii: "+") ? text.dropFirst() : text
    guard rest.contains(where: isDigit) else { return false }
    var allowsSign = false
    for byte in rest {
      switch byte {
      case _ where isDigit(byte), UInt8(ascii: "."): allowsSign = false
      case UInt8(ascii: "e"), UInt8(ascii: "E"): allowsSign = true
      case UInt8(ascii: "-") where allowsSign, UInt8(ascii: "+") where allowsSign: allowsSign = false
      default: return false
      }
    }
    return true
  }

  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
