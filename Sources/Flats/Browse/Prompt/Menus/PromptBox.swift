import Files
import Terminal

/// The border of a box over the list.
enum PromptBox {
  static let border = 2
  private static let minSize = ScreenSize(columns: 12, rows: 4)

  static func hasBorder(_ size: ScreenSize) -> Bool {
    size.columns >= minSize.columns && size.rows >= minSize.rows
  }

  static func content(of size: ScreenSize) -> ScreenSize {
    hasBorder(size) ? ScreenSize(columns: size.columns - 2 * border, rows: size.rows - border) : size
  }

  /// Draws the first hint that fits, empties the inside, places the cursor there, and returns that area.
  static func draw(_ title: String, hints: [String], into canvas: inout Canvas, area: ScreenArea)
    -> ScreenArea
  {
    let size = ScreenSize(columns: area.columns.count, rows: area.rows.count)
    guard hasBorder(size), let first = area.rows.first, let last = area.rows.last else {
      LinePrompt.draw([], into: &canvas, area: area)
      canvas.cursor = CellPosition(row: area.rows.lowerBound, column: area.columns.lowerBound)
      return area
    }
    canvas.cursor = CellPosition(row: first + 1, column: area.columns.lowerBound + border)
    canvas.write(
      edge("┌", title, "┐", Style(.title, on: .box), size.columns), row: first, columns: area.columns,
      paper: .box)
    for row in area.rows.dropFirst().dropLast() {
      let blanks = String(repeating: " ", count: size.columns - 2)
      canvas.write(
        StyledLine("│\(blanks)│", .dim, on: .box), row: row, columns: area.columns, paper: .box)
    }
    let hint = hints.first { DisplayText.width(of: $0) <= size.columns - edgeColumns } ?? hints.last ?? ""
    canvas.write(
      edge("└", hint, "┘", Style(.dim, on: .box), size.columns), row: last, columns: area.columns, paper: .box
    )
    return ScreenArea(
      rows: first + 1..<last, columns: area.columns.lowerBound + border..<area.columns.upperBound - border)
  }

  private static let edgeColumns = 6

  private static func edge(_ left: String, _ text: String, _ right: String, _ style: Style, _ columns: Int)
    -> StyledLine
  {
    let shown = text.isEmpty ? "" : " \(DisplayText.safe(text, limit: columns - edgeColumns)) "
    let rest = columns - 3 - DisplayText.width(of: shown)
    var line = StyledLine(left + "─", .dim, on: .box)
    line.append(shown, style)
    line.append(String(repeating: "─", count: max(rest, 0)) + right, .dim, on: .box)
    return line
  }

  /// Returns the visible part of a number of rows, with one of them in the middle if it can be.
  static func window(_ count: Int, around index: Int, rows: Int) -> Range<Int> {
    let first = min(max(index - rows / 2, 0), max(count - rows, 0))
    return first..<min(first + max(rows, 0), count)
  }
}
