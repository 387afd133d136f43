public struct ScreenSize: Hashable, Sendable {
  public var columns: Int
  public var rows: Int

  /// Creates a size. Negative numbers become 0.
  public init(columns: Int, rows: Int) {
    self.columns = max(columns, 0)
    self.rows = max(rows, 0)
  }
}

/// The place of a cell on the screen, counted from 0 at the top left.
public struct CellPosition: Hashable, Sendable {
  public var row: Int
  public var column: Int

  public init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

public struct ScreenArea: Hashable, Sendable {
  public var rows: Range<Int>
  public var columns: Range<Int>

  public init(rows: Range<Int>, columns: Range<Int>) {
    self.rows = rows
    self.columns = columns
  }
}
