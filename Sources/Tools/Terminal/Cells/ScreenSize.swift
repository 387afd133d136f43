package struct ScreenSize: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  /// Creates a size. Negative numbers become 0.
  package init(columns: Int, rows: Int) {
    self.columns = max(columns, 0)
    self.rows = max(rows, 0)
  }
}

/// The place of a cell on the screen, counted from 0 at the top left.
package struct CellPosition: Hashable, Sendable {
  package var row: Int
  package var column: Int

  package init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

package struct ScreenArea: Hashable, Sendable {
  package var rows: Range<Int>
  package var columns: Range<Int>

  package init(rows: Range<Int>, columns: Range<Int>) {
    self.rows = rows
    self.columns = columns
  }
}
