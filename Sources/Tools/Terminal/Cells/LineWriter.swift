import Files

/// Writes the pieces of a line into the columns of a row, one after the other.
struct LineWriter {
  private(set) var canvas: Canvas
  /// The column after the last one that was written.
  private(set) var column: Int
  /// True if the line was cut.
  private(set) var isFull = false
  private let row: Int
  private let columns: Range<Int>
  /// The number of columns that are still to be cut off at the start.
  private var skipping: Int
  /// The last place between two characters that leaves room for the `…`.
  private var cut: Int

  init(canvas: Canvas, row: Int, columns: Range<Int>, skipping: Int) {
    (self.canvas, self.row, self.columns, self.skipping) = (canvas, row, columns, skipping)
    (column, cut) = (columns.lowerBound, columns.lowerBound)
  }

  /// Writes a text, made safe.
  mutating func write(_ text: String, _ style: Style) {
    let plain = plainPrefix(of: text)
    let bytes = text.utf8[..<plain]
    let hidden = min(skipping, bytes.count)
    skipping -= hidden
    for byte in bytes.dropFirst(hidden) where !write(ascii: byte, style) { return }
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

  /// Fills the columns after the text.
  mutating func fill(_ style: Style) {
    canvas.put(Canvas.Cell(ascii: 0x20, style), row, column..<columns.upperBound)
  }

  /// Returns the end of the printable ASCII characters at the start that no mark can follow. Reads
  /// no more of the text than fits.
  private func plainPrefix(of text: String) -> String.Index {
    let bytes = text.utf8
    let room = min(skipping, bytes.count) + columns.upperBound - column + 1
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

  /// Writes one character or one escape; returns false if the line is full.
  private mutating func write(_ scalars: String.UnicodeScalarView, _ width: Int, _ style: Style) -> Bool {
    if skipping >= width {
      skipping -= width
      return true
    }
    // A character that is cut in the middle leaves spaces.
    let (visible, isCut) = (width - skipping, skipping > 0)
    skipping = 0
    guard visible <= columns.upperBound - column else {
      close(style)
      return false
    }
    put(scalars, width, isCut ? visible : nil, style)
    advance(visible)
    return true
  }

  private mutating func put(
    _ scalars: String.UnicodeScalarView, _ width: Int, _ visible: Int?, _ style: Style
  ) {
    if scalars.allSatisfy(\.isASCII) {
      for (offset, scalar) in scalars.suffix(visible ?? width).enumerated() {
        canvas.put(Canvas.Cell(scalar, style), row, column + offset..<column + offset + 1)
      }
    } else if let visible {
      canvas.put(Canvas.Cell(ascii: 0x20, style), row, column..<column + visible)
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

  /// Ends the line with `…`.
  private mutating func close(_ style: Style) {
    isFull = true
    if cut < column { canvas.put(Canvas.Cell(ascii: 0x20, style), row, cut..<column) }
    canvas.put(Canvas.Cell("…", style), row, cut..<cut + 1)
    column = cut + 1
  }
}
