import TerminalText

/// The contents of a screen: a grid of cells and the place of the cursor. A value that is drawn
/// from nothing for each frame; `FrameWriter` finds what changed.
public struct Canvas: Hashable, Sendable {
  /// One cell. A wide character has its text in the first cell; the next one is its `second`.
  public struct Cell: Hashable, Sendable {
    /// The text: one character, safe for a terminal; empty for the second cell of a wide one.
    public var text: String
    /// The style.
    public var style: Style
  }

  /// The size of the grid.
  public let size: ScreenSize
  /// The cells, row by row.
  public private(set) var cells: [Cell]
  /// The place of the terminal's cursor.
  public var cursor = CellPosition(row: 0, column: 0)

  /// Creates an empty canvas.
  public init(_ size: ScreenSize) {
    self.size = size
    cells = Array(repeating: Cell(text: " ", style: Style()), count: size.columns * size.rows)
  }

  /// Writes a line into the columns of a row, makes its text safe, cuts it with `…` if it is wider,
  /// and fills the rest of the columns in `paper`.
  ///
  /// - Returns: The column after the last one that was written.
  @discardableResult
  public mutating func write(_ line: StyledLine, row: Int, columns: Range<Int>, paper: Style.Paper? = nil) -> Int { columns.lowerBound }
}
