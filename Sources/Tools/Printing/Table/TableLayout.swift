/// The columns of a table that fit into a window, and their widths.
///
/// The widest columns are cut first, so that all cut columns end up equally wide. Numbers, dates
/// and booleans are never cut. If strings would get less than their `TableColumn.Room`, columns are
/// dropped, and the header ends in `…`. Long texts get only what the others leave. A width that the view
/// gives is kept, unless it would cut a number, a date or a boolean.
package struct TableLayout: Sendable, Hashable {
  package struct Cell: Sendable, Hashable {
    package let column: TableColumn
    /// The first column of the cell, from 0.
    package let start: Int
    /// The width to which the cell is padded.
    package let width: Int
    /// The width at which a text is cut.
    package let limit: Int
  }

  /// The columns that are shown, from the left.
  package let cells: [Cell]
  /// True if columns were dropped because they do not fit.
  package let isPartial: Bool

  /// The number of blanks between columns.
  package static let gap = 2
  static let minTextWidth = 12
  /// A readable width. A chosen column is included if it gets this width, or all that it needs.
  static let readableWidth = 20
  /// The width up to which cells are padded without a window. Wider ones shift only their own line.
  static let maxAlignedWidth = 40
  /// The width at which a cell without a window is cut, unless nothing is.
  package static let maxCellWidth = 200

  /// Lays out columns for a window of `width` columns. Without a window, cells are cut at `limit`.
  package init(_ columns: [TableColumn], width: Int?, indent: Int, limit: Int = .max) {
    guard let width else {
      cells = TableLayout.place(
        columns, columns.map { $0.width ?? min($0.naturalWidth, TableLayout.maxAlignedWidth) }, indent,
        limit: limit)
      isPartial = false
      return
    }
    let shown = TableLayout.fitting(columns, in: width - indent)
    isPartial = shown.count < columns.count
    // The `…` in the header needs room, too.
    let room = width - indent - (isPartial ? TableLayout.gap + 1 : 0) - TableLayout.gap * (shown.count - 1)
    cells = TableLayout.place(shown, TableLayout.widths(shown, room), indent)
  }

  /// Returns the columns that fit. Of chosen ones, a later one may take the place of a wider one, unless
  /// it is a long text; named ones are dropped from the right.
  private static func fitting(_ columns: [TableColumn], in width: Int) -> [TableColumn] {
    if minWidth(of: columns) <= width { return columns }
    var shown: [TableColumn] = []
    for (number, column) in columns.enumerated() {
      if shown.isEmpty || minWidth(of: shown + [column]) <= width - gap - 1 {
        if column.room != .rest || shown.count == number { shown.append(column) }
      } else if columns[0].room == .narrow {
        break
      }
    }
    return shown
  }

  private static func minWidth(of columns: [TableColumn]) -> Int {
    columns.reduce(gap * (columns.count - 1)) { sum, column in
      if !mayBeCut(column, among: columns) { return sum + column.naturalWidth }
      return sum + min(column.naturalWidth, column.room == .narrow ? minTextWidth : readableWidth)
    }
  }

  /// Long texts are cut before any other column, unless there is just one column beside them.
  private static func mayBeCut(_ column: TableColumn, among columns: [TableColumn]) -> Bool {
    if column.isRigid || column.width != nil { return false }
    return column.room == .rest || columns.count <= 2 || columns.last?.room != .rest
  }

  private static func widths(_ columns: [TableColumn], _ room: Int) -> [Int] {
    let isCut = columns.map { mayBeCut($0, among: columns) }
    let textWidths = zip(columns, isCut).filter(\.1).map(\.0.naturalWidth)
    let rigid = zip(columns, isCut).reduce(0) { $0 + ($1.1 ? 0 : $1.0.naturalWidth) }
    var (level, spare) = level(textWidths, room - rigid)
    return zip(columns, isCut).map { column, isCut in
      if !isCut { return columns.count == 1 ? min(column.naturalWidth, room) : column.naturalWidth }
      guard column.naturalWidth > level else { return column.naturalWidth }
      defer { spare = max(spare - 1, 0) }
      return spare > 0 ? level + 1 : level
    }
  }

  /// Returns the largest width to which the wider columns can be cut so that all fit into `room`,
  /// and the number of columns that may be one wider.
  private static func level(_ naturals: [Int], _ room: Int) -> (level: Int, spare: Int) {
    var left = room
    var count = naturals.count
    for natural in naturals.sorted() {
      if natural * count > left { return (max(left / count, 1), max(left % count, 0)) }
      left -= natural
      count -= 1
    }
    return (.max - 1, 0)
  }

  private static func place(
    _ columns: [TableColumn], _ widths: [Int], _ indent: Int, limit: Int? = nil
  ) -> [Cell] {
    var start = indent
    return zip(columns, widths).map { column, width in
      defer { start += width + gap }
      return Cell(column: column, start: start, width: width, limit: limit ?? width)
    }
  }
}
