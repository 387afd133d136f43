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
