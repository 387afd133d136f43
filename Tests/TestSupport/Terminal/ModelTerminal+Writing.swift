import Files
import Terminal

extension ModelTerminal {
  mutating func write(_ scalar: Unicode.Scalar) {
    if widths == .perScalar { return writeAlone(scalar) }
    if let last, !scalar.isASCII || last.text.utf8.count > 1 {
      let joined = last.text + String(scalar)
      if joined.count == 1 {
        isPastEnd = false
        for column in last.place { cells[last.row * size.columns + column] = Cell() }
        return place(joined, columns(of: joined), CellPosition(row: last.row, column: last.place.lowerBound))
      }
    }
    let text = String(scalar)
    place(text, columns(of: text), cursor)
  }

  private func columns(of text: String) -> Int {
    let scalars = text.unicodeScalars
    let ours = DisplayWidth.columns(of: scalars)
    if scalars.count == 1, scalars.allSatisfy({ DisplayWidth.isCertain($0) }) { return ours }
    switch widths {
    case .ours, .perScalar: return max(ours, 1)
    case .narrower: return max(ours - 1, 1)
    case .wider: return ours + 1
    }
  }

  private mutating func writeAlone(_ scalar: Unicode.Scalar) {
    let columns = DisplayWidth.columns(of: scalar)
    if columns > 0 { return place(String(scalar), columns, cursor) }
    var column = cursor.column - (isPastEnd ? 0 : 1)
    while column > 0, cells[cursor.row * size.columns + column].isContinuation { column -= 1 }
    guard column >= 0 else { return }
    touchedRows.insert(cursor.row)
    cells[cursor.row * size.columns + column].text.unicodeScalars.append(scalar)
  }

  private mutating func place(_ text: String, _ columns: Int, _ start: CellPosition) {
    var start = start
    if modes.contains(7), isPastEnd || start.column + columns > size.columns {
      lineFeed()
      start = CellPosition(row: cursor.row, column: 0)
    }
    let end = min(start.column + columns, size.columns)
    let row = start.row * size.columns
    touchedRows.insert(start.row)
    for column in start.column..<end {
      detach(row + column)
      cells[row + column] = Cell(
        text: column == start.column ? text : "", rendition: rendition, isContinuation: column > start.column)
    }
    isPastEnd = end == size.columns
    cursor = CellPosition(row: start.row, column: min(end, size.columns - 1))
    last = (start.column..<end, start.row, text)
  }

  /// Blanks the rest of a wide character of which one cell is overwritten.
  mutating func detach(_ index: Int) {
    let row = index / size.columns * size.columns
    var first = index
    while first > row, cells[first].isContinuation { first -= 1 }
    var end = index + 1
    while end < row + size.columns, cells[end].isContinuation { end += 1 }
    if end - first == 1 { return }
    for covered in first..<end {
      cells[covered].text = " "
      cells[covered].isContinuation = false
    }
  }

  mutating func setMargins(_ parameters: [Int]) {
    margins = nil
    if parameters.count == 2 {
      if parameters[0] >= 1, parameters[0] < parameters[1], parameters[1] <= size.rows {
        margins = parameters[0] - 1..<parameters[1]
      } else {
        offenders.append("margins \(parameters) of \(size.rows) rows")
      }
    }
    (cursor, isPastEnd) = (CellPosition(row: 0, column: 0), false)
  }

  /// Moves the row of the cursor and those below it within the margins.
  mutating func moveRows(by distance: Int) {
    let rows = margins ?? 0..<size.rows
    guard rows.contains(cursor.row) else { return offenders.append("rows are moved outside of the margins") }
    if rendition.paper != .standard || rendition.isReversed {
      offenders.append("rows were moved with a background")
    }
    let old = cells
    for row in cursor.row..<rows.upperBound {
      touchedRows.insert(row)
      for column in 0..<size.columns {
        let isFilled = (cursor.row..<rows.upperBound).contains(row - distance)
        cells[row * size.columns + column] = isFilled ? old[(row - distance) * size.columns + column] : Cell()
      }
    }
    (cursor.column, isPastEnd) = (0, false)
  }

  mutating func lineFeed() {
    if margins != nil { offenders.append("a line feed within margins") }
    isPastEnd = false
    if cursor.row + 1 < size.rows {
      cursor.row += 1
    } else {
      touchedRows = Set(0..<size.rows)
      cells.removeFirst(size.columns)
      cells += Array(repeating: Cell(), count: size.columns)
    }
  }
}
