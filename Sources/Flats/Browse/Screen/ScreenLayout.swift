import Terminal

/// The areas of the screen. A function of the size and of what is open.
///
/// From the top: the list with the panes beside or below it, the line that is being edited, and the
/// status. In a small window the list gives way last.
struct ScreenLayout {
  let list: ScreenArea
  let whole: ScreenArea
  let detail: ScreenArea?
  let log: ScreenArea?
  /// The rows of the line that is being edited; nil if there is none.
  let line: ScreenArea?
  /// The rows of a message that does not fit into the status line; nil if there is none.
  let message: ScreenArea?
  let status: ScreenArea?
  /// The screen without the status line: the area of the prompt.
  let beforeStatus: ScreenArea
  /// The column of the line between the list and the detail; nil if they are not side by side.
  private let border: Int?

  private static let maxLogRows = 8
  /// The height of the log in a low window, if the list keeps as many rows.
  private static let defaultLogRows = 5
  private static let minLogRows = 3
  private static let maxMessageRows = 4
  /// The smallest height of the list that leaves room for the log.
  private static let minListRows = 4
  /// The narrowest window in which the list and the detail are side by side.
  private static let minWidthWithBoth = 100
  /// The lowest window in which the list keeps half of the rows above the detail.
  private static let minHeightWithBoth = 8

  /// Divides a screen. While a line is edited, no row is left for a message above the status line.
  init(_ size: ScreenSize, _ panes: OpenPanes, messageRows: Int = 0) {
    var rows = 0..<size.rows
    let columns = 0..<size.columns
    func cut(_ count: Int, keeping kept: Int) -> ScreenArea? {
      guard count > 0, rows.count - count >= kept else { return nil }
      defer { rows = rows.lowerBound..<rows.upperBound - count }
      return ScreenArea(rows: rows.upperBound - count..<rows.upperBound, columns: columns)
    }
    // In a very small window a line that is edited replaces the status.
    let lineRows = panes.prompt.rowsBelowList(in: size)
    status = size.rows > lineRows + 1 ? cut(1, keeping: 1) : nil
    let messageRoom = status == nil || panes.hasDialog ? 0 : rows.count - ScreenLayout.minListRows
    message = cut(min(messageRows, ScreenLayout.maxMessageRows, messageRoom), keeping: 0)
    beforeStatus = ScreenArea(rows: rows, columns: columns)
    line = cut(lineRows, keeping: 0)
    log = panes.showsLog ? cut(ScreenLayout.logRows(in: rows.count), keeping: ScreenLayout.minListRows) : nil
    whole = ScreenArea(rows: rows, columns: columns)
    let places = panes.showsDetail ? ScreenLayout.divide(whole) : nil
    list = places?.list ?? whole
    detail = places?.detail
    border = places?.border
  }

  private static func divide(_ area: ScreenArea) -> (list: ScreenArea, detail: ScreenArea, border: Int?) {
    let rows = area.rows
    let columns = area.columns
    if columns.count >= minWidthWithBoth {
      let middle = columns.lowerBound + columns.count / 20 * 11
      return (
        ScreenArea(rows: rows, columns: columns.lowerBound..<middle),
        ScreenArea(rows: rows, columns: middle + 1..<columns.upperBound), middle
      )
    }
    let listRows = rows.count < minHeightWithBoth ? min(rows.count, 2) : rows.count / 2
    let middle = rows.lowerBound + listRows
    return (
      ScreenArea(rows: rows.lowerBound..<middle, columns: columns),
      ScreenArea(rows: middle..<rows.upperBound, columns: columns), nil
    )
  }

  private static func logRows(in rows: Int) -> Int {
    min(maxLogRows, max(rows / 3, min(defaultLogRows, rows / 2), minLogRows))
  }

  func drawBorder(into canvas: inout Canvas) {
    guard let border, let detail else { return }
    for row in detail.rows {
      canvas.write(StyledLine("│", .dim), row: row, columns: border..<border + 1)
    }
  }
}

extension ScreenArea {
  func contains(_ position: CellPosition) -> Bool {
    rows.contains(position.row) && columns.contains(position.column)
  }
}
