import Files
import Terminal

/// Lines of our own, and below them the lines of a file, with signs beside them and messages below them.
struct PaneText {
  var lines: [StyledLine] = []
  var document: DocumentLines?
  /// True if the lines of the file have signs, and numbers where there is room.
  var isAnnotated = false
  /// The lines of the file that changed last, from 0, in ascending order.
  var changed: [Range<Int>] = []
  /// By line, from 0, each with its column, from 0, in Unicode scalars; nil if it is about the complete line.
  var messages: [Int: [(column: Int?, text: String)]] = [:]

  var count: Int { lines.count + (document?.count ?? 0) }

  private static let minWidthWithNumbers = 40

  /// Returns the number of columns before the text of a line of the file: the sign, and the number.
  func gutter(_ width: Int) -> Int {
    guard let document, isAnnotated, width > 2 else { return 0 }
    guard width >= PaneText.minWidthWithNumbers else { return 2 }
    return 2 + String(document.count).utf8.count + 1
  }

  func rowCount(of index: Int, width: Int) -> Int {
    guard index >= lines.count else {
      return lines.indices.contains(index) ? LineWrap(lines[index].text, width: width).rows.count : 0
    }
    guard let document, let range = document.range(ofLine: index - lines.count) else { return 0 }
    let room = width - gutter(width)
    let rows = LineWrap(shown(document, range).text, width: room).rows.count
    return rows + messageRows(index - lines.count, room).count
  }

  /// Calls `body` with the rows of the lines from `first` on, until it returns false.
  func forEachRow(from first: Int, width: Int, _ body: (_ line: Int, _ row: Int, StyledLine) -> Bool) {
    for index in max(first, 0)..<max(lines.count, first, 0) {
      let wrap = LineWrap(lines[index].text, width: width)
      let spans = lines[index].spans
      for row in wrap.rows.indices where !body(index, row, wrap.styled(row, spans)) { return }
    }
    document?.forEachLine(from: max(first - lines.count, 0)) { line in
      var row = 0
      return forEachRow(of: line, width) { styled in
        defer { row += 1 }
        return body(lines.count + line.index, row, styled)
      }
    }
  }

  private func forEachRow(of line: DocumentLines.Line, _ width: Int, _ body: (StyledLine) -> Bool) -> Bool {
    guard let document else { return false }
    let gutter = gutter(width)
    let (text, hidden) = shown(document, line.range)
    let wrap = LineWrap(text, width: width - gutter)
    var spans = document.spans(of: line.range)
    if hidden > 0 {
      let end = text.utf8.count
      spans =
        spans.ending(at: end - PaneText.hint(hidden).utf8.count) + [TextSpan(end: end, style: Style(.dim))]
    }
    for row in wrap.rows.indices {
      var styled = signs(of: line.index, isFirst: row == 0, gutter)
      styled.pieces += wrap.styled(row, spans).pieces
      guard body(styled) else { return false }
    }
    for message in messageRows(line.index, width - gutter) {
      var styled = StyledLine(String(repeating: " ", count: gutter))
      styled.append(message, .problem)
      guard body(styled) else { return false }
    }
    return true
  }

  private func shown(_ document: DocumentLines, _ line: Range<Int>) -> (text: String, hidden: Int) {
    let (text, hidden) = document.text(of: line)
    return (hidden > 0 ? text + PaneText.hint(hidden) : text, hidden)
  }

  private static func hint(_ hidden: Int) -> String { " … \(hidden) more bytes" }

  private func signs(of line: Int, isFirst: Bool, _ gutter: Int) -> StyledLine {
    guard gutter > 0 else { return StyledLine() }
    var signs = StyledLine()
    if isFirst, messages[line] != nil {
      signs.append("! ", .problem)
    } else if isChanged(line) {
      signs.append("~ ", .changed)
    } else {
      signs.append("  ")
    }
    guard gutter > 2 else { return signs }
    let number = isFirst ? String(line + 1) : ""
    signs.append(
      String(repeating: " ", count: max(gutter - 3 - number.utf8.count, 0)) + number + " ", .dim)
    return signs
  }

  private func isChanged(_ line: Int) -> Bool {
    let index = changed.prefixCount { $0.upperBound <= line }
    return index < changed.count && changed[index].contains(line)
  }

  private static let maxMessageRows = 12

  /// Returns the rows of the messages below a line. A message points at its column if it then fits.
  private func messageRows(_ line: Int, _ width: Int) -> [String] {
    guard let messages = messages[line], let document, let range = document.range(ofLine: line) else {
      return []
    }
    let text = document.text(of: range).text
    let rows = messages.flatMap { message in
      var indent = 0
      if let column = message.column {
        indent = text.unicodeScalars.prefix(column).split(separator: "\t", omittingEmptySubsequences: false)
          .map { DisplayText.width(of: String($0), limit: width) }.reduce(-LineWrap.tabWidth) {
            $0 + $1 + LineWrap.tabWidth
          }
      }
      let safe = "^ " + DisplayText.safe(message.text, limit: 1_000)
      if indent + DisplayText.width(of: safe) > width { indent = 0 }
      let wrap = LineWrap(safe, width: width)
      return wrap.rows.indices.map { row in
        String(repeating: " ", count: indent) + wrap.styled(row, []).text
      }
    }
    return Array(rows.prefix(PaneText.maxMessageRows))
  }
}

extension StyledLine {
  var text: String { pieces.reduce(into: "") { $0 += $1.text } }

  var spans: [TextSpan] {
    var end = 0
    return pieces.map { piece in
      end += piece.text.utf8.count
      return TextSpan(end: end, style: piece.style)
    }
  }
}

extension [TextSpan] {
  /// Returns the spans up to an offset, filled with a plain one.
  fileprivate func ending(at end: Int) -> [TextSpan] {
    filter { $0.end < end } + [TextSpan(end: end, style: first { $0.end >= end }?.style ?? Style())]
  }
}
