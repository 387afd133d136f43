import Files

/// Builds lines for a terminal from own words, text from files, blanks and colours, and counts the
/// columns of the current line.
struct TextLines {
  private(set) var bytes: [UInt8] = []
  private(set) var column = 0
  private let usesColor: Bool

  init(usesColor: Bool) {
    self.usesColor = usesColor
  }

  /// A text style, as a parameter of ISO 6429's "select graphic rendition".
  enum Ink: String {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case blue = "34"
  }

  /// Appends text from a file, with control characters escaped, cut at `limit` columns.
  mutating func appendEscaped(_ text: String, limit: Int = .max, in ink: Ink = .plain) {
    paint(ink) { $0.column += DisplayText.append(text, limit: limit, to: &$0.bytes) }
  }

  /// Appends text that needs no escaping, with one column per character.
  mutating func append(_ words: String, in ink: Ink = .plain) {
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

  /// Pads to a column. If the line is already longer, adds the gap between columns instead.
  mutating func startCell(at column: Int) {
    blanks(self.column == 0 ? column : max(column - self.column, TableLayout.gap))
  }

  mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    column = 0
  }

  private mutating func paint(_ ink: Ink, _ body: (inout TextLines) -> Void) {
    let isPainted = usesColor && ink != .plain
    if isPainted { bytes.append(contentsOf: "\u{1B}[\(ink.rawValue)m".utf8) }
    body(&self)
    if isPainted { bytes.append(contentsOf: "\u{1B}[0m".utf8) }
  }
}
