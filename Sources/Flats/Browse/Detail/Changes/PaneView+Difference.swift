import Terminal

extension PaneView {
  /// Creates the view that shows why an action was refused: a sentence, and the difference between
  /// what was expected and what is there, as `git diff` prints it.
  init(_ message: String, difference: [UInt8]) {
    self.init()
    var text = PaneText(lines: [StyledLine(message, Style(.problem)), StyledLine()])
    // Bytes that are not UTF-8 are replaced here, so that the spans fit the text.
    let lines = String(decoding: difference, as: UTF8.self)
    text.document = DocumentLines(Array(lines.utf8), PaneView.differenceSpans(of: lines))
    show(text)
  }

  private static func differenceSpans(of text: String) -> [TextSpan] {
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
}
