/// Which columns of a table a window shows, and how wide.
///
/// The widest give way first: all that are cut end up equally wide. Numbers, dates and booleans are never cut. Where even twelve columns
/// for each text are too many, columns go from the right, and a `…` in the header says so.
struct TableLayout: Sendable, Hashable {
  struct Cell: Sendable, Hashable {
    let column: TableColumn
    /// Where it begins, from 0.
    let start: Int
    /// How far it is padded.
    let width: Int
    /// How much of a text is shown.
    let limit: Int
  }

  let cells: [Cell]
  /// Whether columns were left out for want of room.
  let isPartial: Bool

  static let gap = 2
  /// Less of a text says nothing.
  static let leastText = 12
  /// Without a window nothing is cut, and a cell that is wider than this pushes the rest of its line to the right instead of all lines.
  static let widestAligned = 40

  /// For a window of `width` columns; nil: without bounds.
  init(_ columns: [TableColumn], width: Int?, indent: Int) {
    guard let width else {
      cells = TableLayout.place(columns, columns.map { min($0.natural, TableLayout.widestAligned) }, indent, isCut: false)
      isPartial = false
      return
    }
    var shown = columns[...]
    var room = TableLayout.room(for: shown, width, indent)
    while shown.count > 1, shown.reduce(0, { $0 + TableLayout.least($1) }) > room {
      shown.removeLast()
      // The `…` of the header needs a place too.
      room = TableLayout.room(for: shown, width, indent) - TableLayout.gap - 1
    }
    cells = TableLayout.place(Array(shown), TableLayout.widths(shown, room), indent, isCut: true)
    isPartial = shown.count < columns.count
  }

  /// What is left for the columns themselves.
  private static func room(for columns: ArraySlice<TableColumn>, _ width: Int, _ indent: Int) -> Int {
    width - indent - gap * (columns.count - 1)
  }

  private static func least(_ column: TableColumn) -> Int {
    column.isRigid ? column.natural : min(column.natural, leastText)
  }

  private static func widths(_ columns: ArraySlice<TableColumn>, _ room: Int) -> [Int] {
    let texts = columns.filter { !$0.isRigid }.map(\.natural)
    let rigid = columns.reduce(0) { $0 + ($1.isRigid ? $1.natural : 0) }
    var (level, spare) = level(texts, room - rigid)
    return columns.map { column in
      if column.isRigid { return columns.count == 1 ? min(column.natural, room) : column.natural }
      guard column.natural > level else { return column.natural }
      defer { spare = max(spare - 1, 0) }
      return spare > 0 ? level + 1 : level
    }
  }

  /// The largest level to which the wider ones can be cut so that all fit into `room`, and how many of them may have one more.
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

  private static func place(_ columns: [TableColumn], _ widths: [Int], _ indent: Int, isCut: Bool) -> [Cell] {
    var start = indent
    return zip(columns, widths).map { column, width in
      defer { start += width + gap }
      return Cell(column: column, start: start, width: width, limit: isCut ? width : .max)
    }
  }
}
