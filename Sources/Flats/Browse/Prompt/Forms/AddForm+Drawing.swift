import Files
import Terminal

/// The lines of a form: each row, and below it its message.
struct FormLayout {
  /// A line of the form: that of a row, or one of its message.
  struct Line {
    let row: Int
    /// The text of the message; nil for the row itself.
    let message: StyledLine?
  }

  private(set) var lines: [Line] = []
  /// The columns of the labels with the gap after them.
  let labelColumns: Int
  private var focused = 0..<0

  private static let maxMessageRows = 5

  init(_ form: AddForm, columns: Int) {
    let widest = form.rows.map { DisplayText.width(of: $0.label) }.max() ?? 0
    labelColumns = min(widest, 20, max(columns / 3, 1)) + 2
    for index in form.rows.indices {
      let start = lines.count
      lines.append(Line(row: index, message: nil))
      if let message = form.message(below: index) {
        let style = Style(message.isMistake ? .problem : .dim, on: .box)
        let room = max(columns - labelColumns, 1)
        for text in LinePrompt.wrap(message.text, columns: room).prefix(FormLayout.maxMessageRows) {
          lines.append(
            Line(row: index, message: StyledLine(String(repeating: " ", count: labelColumns) + text, style)))
        }
      }
      if index == form.focus { focused = start..<lines.count }
    }
  }

  var count: Int { lines.count }

  /// Returns the lines that are visible in a number of rows: those of the row with the caret are.
  func window(rows: Int) -> Range<Int> {
    let window = PromptBox.window(lines.count, around: focused.lowerBound + focused.count / 2, rows: rows)
    if window.contains(focused.lowerBound) || rows <= 0 { return window }
    return focused.lowerBound..<min(focused.lowerBound + rows, lines.count)
  }
}

extension AddForm {
  private static let hint = "Enter next, ctrl-s add, Esc close"
  private static let leavingHint = "Escape again discards this"

  func draw(into canvas: inout Canvas, area: ScreenArea) {
    let hint = isLeaving ? AddForm.leavingHint : AddForm.hint
    let inner = PromptBox.draw("Add an item", hints: [hint], into: &canvas, area: area)
    let paper: Style.Paper = inner == area ? .plain : .box
    let layout = FormLayout(self, columns: inner.columns.count)
    for (row, index) in zip(inner.rows, layout.window(rows: inner.rows.count)) {
      let line = layout.lines[index]
      if var message = line.message {
        for piece in message.pieces.indices { message.pieces[piece].style.paper = paper }
        canvas.write(message, row: row, columns: inner.columns, paper: paper)
      } else {
        draw(
          line.row, into: &canvas, row: row, columns: inner.columns, labelColumns: layout.labelColumns, paper)
      }
    }
  }

  private func draw(
    _ index: Int, into canvas: inout Canvas, row: Int, columns: Range<Int>, labelColumns: Int,
    _ paper: Style.Paper
  ) {
    let line = rows[index]
    let isFocused = index == focus
    let start = min(columns.lowerBound + labelColumns, columns.upperBound)
    let label = DisplayText.safe(line.label, limit: max(labelColumns - 2, 1)) + (isFocused ? ":" : "")
    canvas.write(
      StyledLine(label, Style(isFocused ? .prompt : .key, on: paper)), row: row,
      columns: columns.lowerBound..<start, paper: paper)
    if line.field.isEmpty {
      canvas.write(
        StyledLine(line.placeholder, Style(.dim, on: paper)), row: row, columns: start..<columns.upperBound,
        paper: paper)
      if isFocused {
        canvas.cursor = CellPosition(row: row, column: min(start, max(columns.upperBound - 1, 0)))
      }
      return
    }
    let cursor = canvas.cursor
    line.field.draw(
      into: &canvas, row: row, columns: start..<columns.upperBound, style: Style(.plain, on: paper))
    if !isFocused { canvas.cursor = cursor }
  }
}
