import Files
package import Terminal

extension ModelTerminal {
  /// Returns the cells that are not as a canvas has them, in words, and the cursor if it is
  /// elsewhere.
  ///
  /// With our widths, all cells are compared. With others, a character whose width is not certain
  /// may be missing or incomplete in its own cells.
  ///
  /// - Parameters:
  ///   - canvas: The canvas.
  ///   - palette: The palette that it was drawn with.
  ///   - top: The row of the terminal in which the canvas begins.
  ///   - rows: The rows to compare; nil for all.
  package func differences(from canvas: Canvas, palette: Palette, top: Int = 0, rows: Set<Int>? = nil)
    -> [String]
  {
    var renditions: [Style: Rendition] = [:]
    var differences: [String] = []
    var cluster: Canvas.Cell?
    for row in 0..<canvas.size.rows where rows?.contains(row) ?? true {
      for (column, cell) in canvas[row: row].enumerated() {
        let shown = cells[(top + row) * size.columns + column]
        if !cell.isContinuation { cluster = cell }
        let rendition = renditions[cell.style] ?? Rendition(after: palette.sequence(for: cell.style))
        renditions[cell.style] = rendition
        let isAsDrawn =
          shown.text.unicodeScalars.elementsEqual(cell.text.unicodeScalars) && shown.rendition == rendition
        if isAsDrawn || widths != .ours && isPart(shown, of: cluster) { continue }
        let place = "row \(row), column \(column)"
        differences.append(
          "\(place): \(shown.text.debugDescription) \(shown.rendition), not \(cell.text.debugDescription) \(rendition)"
        )
      }
    }
    if let margins { differences.append("the margins are \(margins)") }
    let target = CellPosition(row: canvas.cursor.row + top, column: canvas.cursor.column)
    if cursor != target { differences.append("the cursor is at \(cursor), not \(target)") }
    return differences
  }

  /// Returns true if a cell shows nothing, or something of a character that may have another width.
  private func isPart(_ shown: Cell, of cluster: Canvas.Cell?) -> Bool {
    guard let scalars = cluster?.text.unicodeScalars else { return false }
    if scalars.count == 1, scalars.allSatisfy({ DisplayWidth.isCertain($0) }) { return false }
    return shown.text == " " || shown.text.unicodeScalars.allSatisfy(scalars.contains)
  }
}
