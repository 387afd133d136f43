/// The size of a screen in cells.
public struct ScreenSize: Hashable, Sendable {
  /// The number of cells in a row.
  public var columns: Int
  /// The number of rows.
  public var rows: Int

  /// Creates a size. Negative numbers become 0.
  public init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (max(columns, 0), max(rows, 0))
  }
}

/// The place of a cell on the screen, counted from 0 at the top left.
public struct CellPosition: Hashable, Sendable {
  /// The row, from 0 at the top.
  public var row: Int
  /// The column, from 0 at the left.
  public var column: Int

  /// Creates a position.
  public init(row: Int, column: Int) {
    (self.row, self.column) = (row, column)
  }
}

/// A rectangle of cells.
public struct ScreenArea: Hashable, Sendable {
  /// The rows.
  public var rows: Range<Int>
  /// The columns.
  public var columns: Range<Int>

  /// Creates an area.
  public init(rows: Range<Int>, columns: Range<Int>) {
    (self.rows, self.columns) = (rows, columns)
  }
}
