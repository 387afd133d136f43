import PlainText

/// Lines of text for a terminal as they are put together: our own words, text from files, blanks, colours, and which column the line has reached.
struct TextLines {
  private(set) var bytes: [UInt8] = []
  /// The columns that the current line has taken.
  private(set) var column = 0
  /// Whether nothing has been written yet.
  private(set) var isAtStart = true
  private let usesColor: Bool

  init(usesColor: Bool) {
    self.usesColor = usesColor
  }

  /// How to say it, by ISO 6429's "select graphic rendition".
  enum Ink: String {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case blue = "34"
  }

  /// Text from a file, made safe, cut to `limit` columns.
  mutating func show(_ text: String, limit: Int = .max, in ink: Ink = .plain) {
    paint(ink) { $0.column += DisplayText.append(text, limit: limit, to: &$0.bytes) }
  }

  /// Our own words: one column for each character.
  mutating func say(_ words: String, in ink: Ink = .plain) {
    paint(ink) {
      $0.bytes.append(contentsOf: words.utf8)
      $0.column += words.unicodeScalars.count
    }
  }

  mutating func blanks(_ count: Int) {
    guard count > 0 else { return }
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: count))
    column += count
  }

  mutating func pad(to column: Int) { blanks(column - self.column) }

  mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    column = 0
    isAtStart = false
  }

  /// Hands over what there is, where it is at least `threshold` bytes.
  mutating func flush(to output: inout some ByteOutput, above threshold: Int = 1) throws {
    guard bytes.count >= threshold else { return }
    try output.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Few large writes, and little memory.
  static let chunk = 1 << 16

  private mutating func paint(_ ink: Ink, _ body: (inout TextLines) -> Void) {
    let isPainted = usesColor && ink != .plain
    if isPainted { bytes.append(contentsOf: "\u{1B}[\(ink.rawValue)m".utf8) }
    body(&self)
    if isPainted { bytes.append(contentsOf: "\u{1B}[0m".utf8) }
  }
}
