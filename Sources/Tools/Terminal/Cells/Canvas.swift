import Files

/// The contents of a screen: a grid of cells and the place of the cursor. A value that is drawn
/// from nothing for each frame; `FrameWriter` finds what changed.
///
/// Each operation is clipped to the grid, so no number can be wrong.
package struct Canvas: Hashable, Sendable {
  package let size: ScreenSize
  package var cells: [Cell]
  package var cursor = CellPosition(row: 0, column: 0)

  package init(_ size: ScreenSize) {
    self.size = size
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  /// The cells of a row. Empty if the canvas does not have the row.
  package subscript(row row: Int) -> ArraySlice<Cell> {
    guard row >= 0, row < size.rows else { return [] }
    return cells[row * size.columns..<(row + 1) * size.columns]
  }

  /// Returns the text of a row with the spaces at its end; empty if the canvas does not have the row.
  package func text(row: Int) -> String {
    self[row: row].reduce(into: "") { $0 += $1.text }
  }

  package mutating func clear(_ area: ScreenArea, paper: Style.Paper = .plain) {
    for row in area.rows.clamped(to: 0..<size.rows) {
      let columns = area.columns.clamped(to: 0..<size.columns)
      put(Cell(ascii: 0x20, Style(.plain, on: paper)), row, columns)
    }
  }

  /// Writes a line into the columns of a row, makes its text safe, cuts it with `…` if it is wider,
  /// and fills the rest of the columns in `paper`.
  ///
  /// - Parameter paper: The background of the pieces without one of their own, and of the rest of the
  ///   columns; nil to leave the rest as it is.
  /// - Returns: The column after the last one that was written.
  @discardableResult
  package mutating func write(
    _ line: StyledLine, row: Int, columns: Range<Int>, paper: Style.Paper? = nil
  ) -> Int {
    let inside = columns.clamped(to: 0..<size.columns)
    guard row >= 0, row < size.rows, !inside.isEmpty else { return columns.lowerBound }
    var writer = LineWriter(canvas: self, row: row, columns: inside)
    // The writer has the only reference to the cells, so they are changed in place.
    cells = []
    for piece in line.pieces {
      var style = piece.style
      if let paper, style.paper == .plain { style.paper = paper }
      writer.write(piece.text, style)
      if writer.isFull { break }
    }
    if let paper { writer.fill(Style(.plain, on: paper)) }
    self = writer.canvas
    return writer.column
  }

  /// Writes a character of some columns at a place inside of the grid, and blanks what remains of
  /// the wide characters that it covers in part.
  mutating func put(_ cell: Cell, _ row: Int, _ columns: Range<Int>) {
    guard !columns.isEmpty else { return }
    let start = row * size.columns
    detach(row, columns.lowerBound)
    detach(row, columns.upperBound)
    if cell.isSpace {
      for column in columns { cells[start + column] = cell }
      return
    }
    cells[start + columns.lowerBound] = cell
    for column in columns.dropFirst() { cells[start + column] = .continuation(cell.style) }
  }

  /// Blanks a wide character that begins before a column and continues in it.
  private mutating func detach(_ row: Int, _ column: Int) {
    let start = row * size.columns
    guard column < size.columns, cells[start + column].isContinuation else { return }
    var first = column
    while first > 0, cells[start + first].isContinuation { first -= 1 }
    var end = column
    while end < size.columns, cells[start + end].isContinuation { end += 1 }
    for covered in first..<end { cells[start + covered] = Cell(ascii: 0x20, cells[start + covered].style) }
  }

  /// Moves a block of rows within itself, up by a negative distance. Rows that come free are blank;
  /// rows that leave the block are lost.
  package mutating func move(_ rows: Range<Int>, by distance: Int) {
    let rows = rows.clamped(to: 0..<size.rows)
    let old = cells
    for row in rows {
      let start = row * size.columns
      let source = row.subtractingReportingOverflow(distance)
      if !source.overflow, rows.contains(source.partialValue) {
        let from = source.partialValue * size.columns
        cells.replaceSubrange(start..<start + size.columns, with: old[from..<from + size.columns])
      } else {
        for index in start..<start + size.columns { cells[index] = .blank }
      }
    }
  }
}

private struct LineWriter {
  private(set) var canvas: Canvas
  private(set) var column: Int
  private(set) var isFull = false
  private let row: Int
  private let columns: Range<Int>
  /// The last place between two characters that leaves room for the `…`.
  private var cut: Int

  init(canvas: Canvas, row: Int, columns: Range<Int>) {
    self.canvas = canvas
    self.row = row
    self.columns = columns
    column = columns.lowerBound
    cut = columns.lowerBound
  }

  mutating func write(_ text: String, _ style: Style) {
    let plain = plainPrefix(of: text)
    for byte in text.utf8[..<plain] where !write(ascii: byte, style) { return }
    if plain == text.endIndex { return }
    DisplayText.forEachPart(of: plain == text.startIndex ? text : String(text[plain...])) { scalars, width in
      joinsBefore(scalars) ? writeEscapes(scalars, style) : write(scalars, width, style)
    }
  }

  /// Returns true if some terminals add a character to the cell before it.
  private func joinsBefore(_ scalars: String.UnicodeScalarView) -> Bool {
    guard let first = scalars.first, !first.isASCII else { return false }
    return [.format, .spacingMark].contains(first.properties.generalCategory)
  }

  private mutating func writeEscapes(_ scalars: String.UnicodeScalarView, _ style: Style) -> Bool {
    scalars.allSatisfy { scalar in
      let shown =
        scalar.isASCII ? String.UnicodeScalarView([scalar]) : DisplayText.escape(scalar).unicodeScalars
      return write(shown, shown.count, style)
    }
  }

  mutating func fill(_ style: Style) {
    canvas.put(Canvas.Cell(ascii: 0x20, style), row, column..<columns.upperBound)
  }

  /// Returns the end of the printable ASCII characters at the start that no mark can follow. Reads
  /// no more of the text than fits.
  private func plainPrefix(of text: String) -> String.Index {
    let bytes = text.utf8
    let room = columns.upperBound - column + 1
    let limit = bytes.index(bytes.startIndex, offsetBy: room, limitedBy: bytes.endIndex) ?? bytes.endIndex
    let end = bytes[..<limit].firstIndex { $0 < 0x20 || $0 > 0x7E } ?? limit
    // The character before the end may continue after it.
    return end == bytes.endIndex || end == bytes.startIndex ? end : bytes.index(before: end)
  }

  private mutating func write(ascii byte: UInt8, _ style: Style) -> Bool {
    guard column < columns.upperBound else {
      close(style)
      return false
    }
    canvas.put(Canvas.Cell(ascii: byte, style), row, column..<column + 1)
    advance(1)
    return true
  }

  private mutating func write(_ scalars: String.UnicodeScalarView, _ width: Int, _ style: Style) -> Bool {
    if width == 0 { return true }
    guard width <= columns.upperBound - column else {
      close(style)
      return false
    }
    put(scalars, width, style)
    advance(width)
    return true
  }

  private mutating func put(_ scalars: String.UnicodeScalarView, _ width: Int, _ style: Style) {
    if scalars.allSatisfy(\.isASCII) {
      for (offset, scalar) in scalars.suffix(width).enumerated() {
        canvas.put(Canvas.Cell(scalar, style), row, column + offset..<column + offset + 1)
      }
    } else if scalars.count > 1, column + DisplayWidth.maxColumns(of: scalars) > canvas.size.columns {
      // Some terminals draw each part of it, and would continue in the next row.
      canvas.put(Canvas.Cell(ascii: 0x20, style), row, column..<column + width)
      canvas.put(Canvas.Cell("…", style), row, column..<column + 1)
    } else {
      canvas.put(Canvas.Cell(scalars, style), row, column..<column + width)
    }
  }

  private mutating func advance(_ width: Int) {
    column += width
    if column < columns.upperBound { cut = column }
  }

  private mutating func close(_ style: Style) {
    isFull = true
    if cut < column { canvas.put(Canvas.Cell(ascii: 0x20, style), row, cut..<column) }
    canvas.put(Canvas.Cell("…", style), row, cut..<cut + 1)
    column = cut + 1
  }
}
