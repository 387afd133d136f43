import Files
import PlainStore
import Sinks
import Terminal
import Values

/// Draws the rows and headings of a list: the mark, the cursor and the selection as signs, then the
/// cells with the matches of the search.
struct RowPainter {
  /// The column of the cursor's sign.
  static let cursorColumn = 1

  private let list: ResultsSnapshot
  private let area: ListArea
  private let columns: Range<Int>
  private let highlighter: SearchHighlighter

  init(_ list: ResultsSnapshot, _ area: ListArea, columns: Range<Int>) {
    (self.list, self.area, self.columns) = (list, area, columns)
    highlighter = SearchHighlighter(list.request)
  }

  func drawTitles(into canvas: inout Canvas, row: Int) {
    let layout = area.columns.layout
    for cell in layout.cells {
      draw(StyledLine(cell.column.title, Style(.dim)), cell.column.title, cell, into: &canvas, row: row)
    }
    guard layout.isPartial, let last = layout.cells.last else { return }
    write("…", Style(.dim), at: last.start + last.width + TableLayout.gap, width: 1, into: &canvas, row: row)
  }

  func drawHeading(_ section: SectionID, _ count: Int, into canvas: inout Canvas, row: Int) {
    let number = Wording.grouped(count)
    let room = max(columns.count - number.count - TableLayout.gap, 1)
    let title = list.heading(of: section)
    let width = min(DisplayText.width(of: title, limit: room), room)
    write(title, Style(.header), at: 0, width: room, into: &canvas, row: row)
    write(number, Style(.dim), at: width + TableLayout.gap, width: number.count, into: &canvas, row: row)
  }

  func draw(_ id: Item.ID, into canvas: inout Canvas, row: Int) {
    let mark = area.marks[id]
    let isCurrent = id == area.cursor
    let isSelected = area.selection.contains(id)
    if let mark { write(mark.mark, Style(mark.ink), at: 0, width: 1, into: &canvas, row: row) }
    if isCurrent {
      // One style up to the first cell, so that moving the cursor takes few bytes.
      let width = ListColumns.indent - RowPainter.cursorColumn
      write(
        ">  ", Style(.plain, on: .cursor), at: RowPainter.cursorColumn, width: width, into: &canvas, row: row)
    }
    if isSelected { write("*", Style(.match, on: .selected), at: 2, width: 1, into: &canvas, row: row) }
    guard let item = list[id: id] else { return }
    for (number, cell) in area.columns.layout.cells.enumerated() {
      guard let value = item.cellValue(at: cell.column.path, columns: min(cell.limit, columns.count)) else {
        continue
      }
      var style = Style()
      if number == 0 {
        style = Style(mark?.ink ?? .plain, on: isCurrent ? .cursor : isSelected ? .selected : .plain)
      }
      draw(value, style, cell, into: &canvas, row: row)
    }
  }

  private func draw(
    _ value: Value, _ style: Style, _ cell: TableLayout.Cell, into canvas: inout Canvas, row: Int
  ) {
    // More than fits, so that the canvas cuts it.
    let text = String(value.cellText.unicodeScalars.prefix(min(cell.limit, columns.count) * 8 + 64))
    if text.isEmpty { return }
    let matches = highlighter.ranges(in: text, of: cell.column.path)
    if matches.isEmpty { return draw(StyledLine(text, style), text, cell, into: &canvas, row: row) }
    var line = StyledLine()
    var end = text.startIndex
    for match in matches {
      if end < match.lowerBound { line.append(String(text[end..<match.lowerBound]), style) }
      line.append(String(text[match]), Style(.match, on: style.paper))
      end = match.upperBound
    }
    if end < text.endIndex { line.append(String(text[end...]), style) }
    draw(line, text, cell, into: &canvas, row: row)
  }

  private func draw(
    _ line: StyledLine, _ text: String, _ cell: TableLayout.Cell, into canvas: inout Canvas, row: Int
  ) {
    let limit = min(cell.limit, columns.count)
    let flushRight =
      cell.column.isNumeric ? max(cell.width - DisplayText.width(of: text, limit: limit), 0) : 0
    write(line, at: cell.start + flushRight, width: limit - flushRight, into: &canvas, row: row)
  }

  private func write(
    _ text: String, _ style: Style, at start: Int, width: Int, into canvas: inout Canvas, row: Int
  ) {
    write(StyledLine(text, style), at: start, width: width, into: &canvas, row: row)
  }

  /// Writes a line, and cuts it at the edge of the list.
  private func write(_ line: StyledLine, at start: Int, width: Int, into canvas: inout Canvas, row: Int) {
    let first = columns.lowerBound + start
    let end = min(first + max(width, 0), columns.upperBound)
    guard first < end else { return }
    canvas.write(line, row: row, columns: first..<end)
  }
}
