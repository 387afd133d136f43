import Terminal

/// The pane that shows why an action was refused: a sentence, and the difference between what was
/// expected and what is there.
struct DifferencePane: Sendable {
  private(set) var view = PaneView()
  private let keys: KeyMap

  /// Shows a sentence, and the difference as `git diff` prints it. The keys of the list scroll it.
  init(_ message: String, difference: [UInt8], keys: KeyMap) {
    self.keys = keys
    var text = PaneText(lines: [StyledLine(message, Style(.problem)), StyledLine()])
    // Bytes that are not UTF-8 are replaced here, so that the spans fit the text.
    let lines = String(decoding: difference, as: UTF8.self)
    text.document = DocumentLines(Array(lines.utf8), DifferencePane.spans(of: lines))
    view.show(text)
  }

  /// Returns a span per line, by its first characters.
  private static func spans(of text: String) -> [TextSpan] {
    var end = 0
    return text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      end += line.count + 1
      let isHeader = ["+++ ", "--- ", "diff ", "\\"].contains { line.starts(with: $0.utf8) }
      let ink: Style.Ink =
        switch line.first {
        case _ where isHeader: .dim
        case UInt8(ascii: "+"): .inserted
        case UInt8(ascii: "-"): .deleted
        case UInt8(ascii: "@"): .header
        default: .plain
        }
      return TextSpan(end: end, style: Style(ink))
    }
  }

  /// Sets the area that the pane is drawn into. Call it when the layout changes.
  mutating func fit(_ area: ScreenArea) {
    view.fitBelowTitle(area)
  }

  mutating func handle(_ input: TerminalInput) -> PaneResult {
    view.handle(input, keys)
  }

  func draw(into canvas: inout Canvas, area: ScreenArea) {
    view.draw("Difference", note: "Escape closes", into: &canvas, area: area)
  }
}
