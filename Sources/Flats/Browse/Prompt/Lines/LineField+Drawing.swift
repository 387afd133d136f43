import Files
import Terminal

extension LineField {
  /// Returns the characters that are visible in a number of columns, the columns before the first of
  /// them (1 if a sign says that there is more to the left), and the column of the caret. The caret is always in it, and the
  /// part moves by half of the columns at once, so that most keys change few cells.
  func window(columns: Int) -> (characters: Range<Int>, indent: Int, caret: Int) {
    let columns = max(columns, 1)
    let starts = columnStarts
    let end = starts[characters.count]
    guard end >= columns else {
      return (0..<characters.count, 0, starts[caret])
    }
    let step = max(columns / 2, 1)
    // One column is for the caret behind the text, one for each sign of a part that is cut.
    let room = max(columns - 3, 1)
    var first = 0
    if starts[caret] > room {
      let wanted = (starts[caret] - room + step - 1) / step * step
      first = min(starts.firstIndex { $0 >= wanted } ?? caret, caret)
    }
    var indent = first > 0 && columns > 2 ? 1 : 0
    var last = lastVisible(from: first, in: columns - indent, starts)
    // In very few columns, a wide character may need the room of those before it.
    while last < caret {
      first += 1
      indent = columns > 2 ? 1 : 0
      last = lastVisible(from: first, in: columns - indent, starts)
    }
    return (first..<last, indent, min(indent + starts[caret] - starts[first], columns - 1))
  }

  /// Draws the line into the columns of a row, and places the terminal's cursor at the caret.
  func draw(into canvas: inout Canvas, row: Int, columns: Range<Int>, style: Style = Style()) {
    if columns.isEmpty { return }
    let window = window(columns: columns.count)
    var line = StyledLine()
    if window.indent > 0 { line.append("…", Style(.dim, on: style.paper)) }
    line.append(String(characters[window.characters]), style)
    if window.characters.upperBound < characters.count { line.append("…", Style(.dim, on: style.paper)) }
    canvas.write(line, row: row, columns: columns, paper: style.paper)
    canvas.cursor = CellPosition(row: row, column: columns.lowerBound + window.caret)
  }

  /// Returns the column of a place in the line, in a window of these columns; the nearest one if
  /// the place is not visible.
  func column(of place: Int, columns: Int) -> Int {
    let window = window(columns: columns)
    let place = min(max(place, window.characters.lowerBound), window.characters.upperBound)
    let starts = columnStarts
    return min(window.indent + starts[place] - starts[window.characters.lowerBound], max(columns - 1, 0))
  }

  /// Returns the column at which each character begins, and the one after the last.
  static func columnStarts(of characters: [Character]) -> [Int] {
    var starts = [0]
    starts.reserveCapacity(characters.count + 1)
    for character in characters {
      starts.append(starts[starts.count - 1] + DisplayText.width(of: String(character)))
    }
    return starts
  }

  /// Returns the end of the characters that fit into a number of columns, with room for the sign of
  /// a cut if one is needed.
  private func lastVisible(from first: Int, in columns: Int, _ starts: [Int]) -> Int {
    if starts[characters.count] - starts[first] < columns { return characters.count }
    let limit = starts[first] + columns - 1
    let end = starts.lastIndex { $0 <= limit } ?? first
    return max(min(end, characters.count), first)
  }
}
