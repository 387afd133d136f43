import Files
import Terminal

/// The drawing that all lines share: a sign, the text that is typed, and rows of notes below.
enum LinePrompt {
  static func draw(
    _ sign: String, _ field: LineField, notes: [StyledLine] = [], into canvas: inout Canvas, area: ScreenArea
  ) {
    guard let row = area.rows.first else { return }
    // The notes first: the line places the cursor.
    draw(notes, into: &canvas, area: ScreenArea(rows: row + 1..<area.rows.upperBound, columns: area.columns))
    if area.columns.isEmpty { return }
    let start = area.columns.lowerBound + signWidth(sign, in: area.columns.count)
    canvas.write(StyledLine(sign, .prompt), row: row, columns: area.columns.lowerBound..<start)
    field.draw(into: &canvas, row: row, columns: start..<area.columns.upperBound)
  }

  /// Returns the columns of the sign; 0 if there is no room for it beside the text.
  static func signWidth(_ sign: String, in columns: Int) -> Int {
    let width = DisplayText.width(of: sign)
    return width + 2 <= columns ? width : 0
  }

  /// Writes lines into the rows of an area, and empties the rest of the rows.
  static func draw(_ lines: [StyledLine], into canvas: inout Canvas, area: ScreenArea) {
    for (index, row) in area.rows.enumerated() {
      canvas.write(
        index < lines.count ? lines[index] : StyledLine(), row: row, columns: area.columns, paper: .plain)
    }
  }

  /// Puts a caret below the place, and the message beside it, or below it where it does not fit.
  static func notes(_ message: String, at place: Int, of field: LineField, after sign: String, columns: Int)
    -> [StyledLine]
  {
    let start = signWidth(sign, in: columns)
    let column = start + field.column(of: place, columns: columns - start)
    let style = Style(.problem)
    let width = DisplayText.width(of: message)
    if column + 2 + width <= columns { return [StyledLine("\(blanks(column))^ \(message)", style)] }
    if width < column { return [StyledLine("\(blanks(column - width - 1))\(message) ^", style)] }
    return [StyledLine("\(blanks(column))^", style)]
      + wrap(message, columns: columns).prefix(maxNotes).map { StyledLine($0, style) }
  }

  static func advice(_ text: String, columns: Int) -> [StyledLine] {
    wrap(text, columns: columns).prefix(maxNotes).map { StyledLine($0, .dim) }
  }

  static let maxNotes = 4

  private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }

  /// Breaks between words if it can. All white space is one blank.
  static func wrap(_ text: String, columns: Int) -> [String] {
    let words = text.split(whereSeparator: \.isWhitespace).map { DisplayText.safe(String($0)) }
    guard columns > 0, !words.isEmpty else { return [] }
    let wrap = LineWrap(words.joined(separator: " "), width: columns)
    return wrap.rows.indices.map { wrap.styled($0, []).text }
  }
}
