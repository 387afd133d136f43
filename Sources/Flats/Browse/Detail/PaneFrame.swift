import Files
import Terminal

/// The title above a pane, and the place of its contents.
enum PaneFrame {
  /// Returns the size of the contents of a pane in an area.
  static func content(of area: ScreenArea) -> ScreenSize {
    ScreenSize(columns: area.columns.count, rows: area.rows.count - 1)
  }

  /// Draws the title into the first row of an area.
  ///
  /// - Parameters:
  ///   - title: The title. It may contain anything.
  ///   - note: A short text at the right, left out where there is no room.
  ///   - canvas: The canvas.
  ///   - area: The area of the pane.
  /// - Returns: The area below the title.
  static func draw(_ title: String, note: String = "", into canvas: inout Canvas, area: ScreenArea)
    -> ScreenArea
  {
    guard let row = area.rows.first else { return area }
    let style = Style(.title, on: .bar)
    let width = area.columns.count
    let noteWidth = note.isEmpty ? 0 : DisplayText.width(of: note, limit: width) + 1
    let room = noteWidth < width / 2 ? width - noteWidth : width
    var line = StyledLine(DisplayText.safe(title, limit: room), style)
    if room < width {
      let used = DisplayText.width(of: title, limit: room)
      line.append(String(repeating: " ", count: room - used + 1) + note, Style(.dim, on: .bar))
    }
    canvas.write(line, row: row, columns: area.columns, paper: .bar)
    return ScreenArea(rows: row + 1..<area.rows.upperBound, columns: area.columns)
  }
}

/// The places of the list and of the detail beside or below it.
struct DetailLayout: Sendable, Hashable {
  /// The area of the list.
  let list: ScreenArea
  /// The area of the detail pane.
  let detail: ScreenArea
  /// The column of the line between both; nil if the pane is below the list.
  let border: Int?

  /// The narrowest window in which both are side by side.
  private static let minWidth = 100
  /// The lowest window in which the list keeps half of the rows.
  private static let minHeight = 8

  /// Divides an area.
  init(_ area: ScreenArea) {
    let (rows, columns) = (area.rows, area.columns)
    if columns.count >= DetailLayout.minWidth {
      let middle = columns.lowerBound + columns.count / 20 * 11
      list = ScreenArea(rows: rows, columns: columns.lowerBound..<middle)
      detail = ScreenArea(rows: rows, columns: middle + 1..<columns.upperBound)
      border = middle
    } else {
      let listRows = rows.count < DetailLayout.minHeight ? min(rows.count, 2) : rows.count / 2
      list = ScreenArea(rows: rows.lowerBound..<rows.lowerBound + listRows, columns: columns)
      detail = ScreenArea(rows: rows.lowerBound + listRows..<rows.upperBound, columns: columns)
      border = nil
    }
  }

  /// Draws the line between the list and the pane.
  func drawBorder(into canvas: inout Canvas) {
    guard let border else { return }
    for row in detail.rows {
      canvas.write(StyledLine("│", Style(.dim)), row: row, columns: border..<border + 1)
    }
  }
}
