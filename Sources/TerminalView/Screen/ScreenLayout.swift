import TerminalDevice

/// The areas of the screen. A function of the size and of what is open.
///
/// From the top: the list with the panes beside or below it, the line that is being edited, and the
/// status. In a small window the list gives way last.
struct ScreenLayout: Hashable, Sendable {
  /// The list, with the titles of its columns.
  let list: ScreenArea
  /// The list and the panes beside it: what a dialog may cover.
  let whole: ScreenArea
  /// The detail pane; nil if it is closed or does not fit.
  let detail: ScreenArea?
  /// The log pane; nil if it is closed or does not fit.
  let log: ScreenArea?
  /// The line that is being edited; nil if there is none.
  let line: ScreenArea?
  /// The status line; nil if it does not fit.
  let status: ScreenArea?
  /// The column of the border between the list and a detail beside it; nil if there is none.
  let border: Int?

  /// The parts that are open besides the list.
  struct Open: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let detail = Open(rawValue: 1)
    static let log = Open(rawValue: 2)
    static let line = Open(rawValue: 4)
  }

  /// The width from which the detail is beside the list.
  private static let wideColumns = 100
  /// The maximum height of the log.
  private static let logRows = 8
  /// The smallest height that the list keeps when a pane opens below it.
  private static let minListRows = 4

  /// Divides a screen.
  init(_ size: ScreenSize, _ open: Open) {
    var rows = 0..<size.rows
    let columns = 0..<size.columns
    func cut(_ count: Int, keeping kept: Int) -> ScreenArea? {
      guard count > 0, rows.count - count >= kept else { return nil }
      defer { rows = rows.lowerBound..<rows.upperBound - count }
      return ScreenArea(rows: rows.upperBound - count..<rows.upperBound, columns: columns)
    }
    let line = open.contains(.line) ? cut(1, keeping: 1) : nil
    let status = cut(1, keeping: 1)
    // The line is above the status.
    if let line, let status {
      (self.line, self.status) = (status, line)
    } else {
      (self.line, self.status) = (line, status)
    }
    whole = ScreenArea(rows: rows, columns: columns)
    let minRows = ScreenLayout.minListRows
    log = open.contains(.log) ? cut(min(ScreenLayout.logRows, rows.count / 3), keeping: minRows) : nil
    guard open.contains(.detail) else {
      (list, detail, border) = (ScreenArea(rows: rows, columns: columns), nil, nil)
      return
    }
    if size.columns >= ScreenLayout.wideColumns {
      let middle = size.columns / 2
      list = ScreenArea(rows: rows, columns: 0..<middle)
      detail = ScreenArea(rows: rows, columns: middle + 1..<size.columns)
      border = middle
    } else {
      detail = cut(rows.count / 2, keeping: minRows)
      (list, border) = (ScreenArea(rows: rows, columns: columns), nil)
    }
  }
}

extension ScreenArea {
  /// Returns true if a cell is in the area.
  func contains(_ position: CellPosition) -> Bool { rows.contains(position.row) && columns.contains(position.column) }
}
