import Printing
import Store
package import Terminal

extension Screen {
  package func draw() -> Canvas {
    var canvas = Canvas(size)
    let layout = layout
    drawList(into: &canvas, layout.list)
    layout.drawBorder(into: &canvas)
    if let area = layout.detail { panes.detail.draw(into: &canvas, area: area) }
    if let area = layout.log { panes.log.draw(into: &canvas, area: area) }
    drawMessage(into: &canvas)
    if let status = layout.status {
      let text = layout.message == nil ? self.status : self.status.withoutLongMessage(columns: size.columns)
      let line = text.line(
        area.shown, selected: area.selection.count, pause: pause, filter: filterTexts, order: orderTexts,
        columns: status.columns.count)
      canvas.write(line, row: status.rows.lowerBound, columns: status.columns, paper: .bar)
    }
    panes.difference?.draw("Difference", note: "Escape closes", into: &canvas, area: layout.whole)
    panes.prompt.draw(into: &canvas, area: layout.beforeStatus)
    return canvas
  }

  private func drawMessage(into canvas: inout Canvas) {
    guard let area = layout.message else { return }
    let lines = status.messageRows(columns: area.columns.count)
    for (index, row) in area.rows.enumerated() where index < lines.count {
      var line = lines[index]
      if row == area.rows.last, index < lines.count - 1 { line.append(" …", .dim, on: .bar) }
      canvas.write(line, row: row, columns: area.columns, paper: .bar)
    }
  }

  private func drawList(into canvas: inout Canvas, _ area: ScreenArea) {
    guard let list = self.area.shown, let window = self.area.window, list.count > 0 || !window.lines.isEmpty
    else {
      return drawEmpty(into: &canvas, area)
    }
    let rows = RowPainter(list, self.area, columns: area.columns)
    if hasTitles { rows.drawTitles(into: &canvas, row: area.rows.lowerBound) }
    for (line, row) in zip(window.lines, listRows) {
      switch line {
      case .heading(let id, let count): rows.drawHeading(id, count, into: &canvas, row: row)
      case .row(.item(let id)): rows.draw(id, into: &canvas, row: row)
      case .row(.problem(let path)): rows.draw(problemAt: path, into: &canvas, row: row)
      }
    }
    if list.count == 0 {
      let rest = min(listRows.lowerBound + window.lines.count, area.rows.upperBound)..<area.rows.upperBound
      drawEmpty(into: &canvas, ScreenArea(rows: rest, columns: area.columns))
    }
    let row = min(listRows.lowerBound + window.cursorLine, max(size.rows - 1, 0))
    canvas.cursor = CellPosition(row: row, column: area.columns.lowerBound)
  }

  private func drawEmpty(into canvas: inout Canvas, _ area: ScreenArea) {
    guard area.rows.lowerBound < area.rows.upperBound, area.columns.count > ListColumns.indent else { return }
    let row = area.rows.lowerBound + (area.rows.count > 1 ? 1 : 0)
    let columns = area.columns.lowerBound + ListColumns.indent..<area.columns.upperBound
    // While there is room above the status line, the warnings are there.
    let warnings =
      layout.message == nil ? status.warnings.flatMap { LinePrompt.wrap($0, columns: columns.count) } : []
    let lines =
      [emptyText] + warnings + status.hints.flatMap { LinePrompt.wrap("Hint: \($0)", columns: columns.count) }
    for (line, row) in zip(lines, row..<area.rows.upperBound) {
      canvas.write(StyledLine(line, .dim), row: row, columns: columns)
    }
    canvas.cursor = CellPosition(row: row, column: columns.lowerBound)
  }

  private var emptyText: String {
    guard let list = area.shown else { return "Reading the items …" }
    let request = list.request
    if request.searches { return "No item matches the search." }
    if request.predicate != nil, status.total(of: list) > 0 { return "No item matches the predicate." }
    return request.emptyText ?? "No items."
  }

  private static let maxPredicate = 40

  /// The predicate and the search. A line that is edited shows its own text.
  private var filterTexts: [String] {
    var texts: [String] = []
    if let predicate = area.shown?.request.predicate, !(panes.prompt.pane is PredicateLine) {
      texts.append(":" + DisplayText.safe(predicate.text, limit: Screen.maxPredicate))
    }
    if !search.isEmpty, layout.line == nil { texts.append("/\(search)") }
    if area.shown?.request.showsSimilarNames == true { texts.append("no match; similar names") }
    return texts
  }

  /// The view, the sort order, the sections, and the key that shows the help, if it does so now.
  private var orderTexts: [String] {
    var texts: [String] = []
    if let view { texts.append("view \(DisplayText.safe(view))") }
    if let list = area.shown, case let request = list.request {
      if request.sortsByRelevance, list.count > 1 { texts.append("best matches first") }
      if !request.ownSort.isEmpty {
        texts.append("sort " + request.ownSort.map { DisplayText.safe("\($0)") }.joined(separator: ","))
      }
      if let path = request.section?.path { texts.append("section " + DisplayText.safe("\(path)")) }
    }
    if !panes.hasDialog, let key = options.keys.keys(of: .help).first { texts.append("\(key) help") }
    return texts
  }
}

/// Draws the mark, the cursor and the selection as signs, then the cells with the matches of the search.
private struct RowPainter {
  static let cursorColumn = 1

  private let list: ListSnapshot<Item>
  private let area: ListArea
  private let columns: Range<Int>
  private let highlighter: SearchHighlighter

  init(_ list: ListSnapshot<Item>, _ area: ListArea, columns: Range<Int>) {
    self.list = list
    self.area = area
    self.columns = columns
    highlighter = SearchHighlighter(list.request)
  }

  func drawTitles(into canvas: inout Canvas, row: Int) {
    let layout = area.columns.layout
    for cell in layout.cells {
      draw(StyledLine(cell.column.title, .dim), cell.column.title, cell, into: &canvas, row: row)
    }
    if area.columns.skipped > 0, layout.cells.count > 1 {
      write("…", Style(.dim), at: layout.cells[1].start - TableLayout.gap, width: 1, into: &canvas, row: row)
    }
    guard layout.isPartial, let last = layout.cells.last else { return }
    write("…", Style(.dim), at: last.start + last.width + TableLayout.gap, width: 1, into: &canvas, row: row)
  }

  func drawHeading(_ section: SectionID?, _ count: Int, into canvas: inout Canvas, row: Int) {
    let number = Wording.grouped(count)
    let room = max(columns.count - number.count - TableLayout.gap, 1)
    let title = section.map(list.heading) ?? "Problems"
    let width = min(DisplayText.width(of: title, limit: room), room)
    write(title, Style(section == nil ? .problem : .header), at: 0, width: room, into: &canvas, row: row)
    write(number, Style(.dim), at: width + TableLayout.gap, width: number.count, into: &canvas, row: row)
  }

  /// The place of a problem, and what is wrong with the file. A long path leaves half of the room.
  func draw(problemAt path: RelativePath, into canvas: inout Canvas, row: Int) {
    guard let problem = list.problem(of: path) else { return }
    let isCurrent = area.cursor == .problem(path)
    write("!", Style(.problem), at: 0, width: 1, into: &canvas, row: row)
    if isCurrent { drawCursor(into: &canvas, row: row) }
    let room = max(columns.count - ListColumns.indent, 0)
    let place = DisplayText.safe("\(path == .root ? "." : path.description):\(problem.line)", limit: room)
    let message = DisplayText.safe(problem.message, limit: room)
    let widths = (DisplayText.width(of: place), DisplayText.width(of: message))
    let width = min(widths.0, max(room / 2, room - widths.1 - TableLayout.gap))
    write(
      marked(place, highlighter.ranges(in: place), Style(.problem, on: isCurrent ? .cursor : .plain)),
      at: ListColumns.indent,
      width: width, into: &canvas, row: row)
    write(
      marked(message, highlighter.ranges(in: message), Style()),
      at: ListColumns.indent + width + TableLayout.gap,
      width: room - width - TableLayout.gap, into: &canvas, row: row)
  }

  private func drawCursor(into canvas: inout Canvas, row: Int) {
    // One style up to the first cell, so that moving the cursor takes few bytes.
    let width = ListColumns.indent - RowPainter.cursorColumn
    write(
      ">  ", Style(.plain, on: .cursor), at: RowPainter.cursorColumn, width: width, into: &canvas, row: row)
  }

  func draw(_ id: Item.ID, into canvas: inout Canvas, row: Int) {
    let mark = area.marks[id]
    let isCurrent = area.cursor == .item(id)
    let isSelected = area.selection.contains(id)
    if let mark { write(mark.mark, Style(mark.ink), at: 0, width: 1, into: &canvas, row: row) }
    if isCurrent { drawCursor(into: &canvas, row: row) }
    if isSelected { write("*", Style(.match, on: .selected), at: 2, width: 1, into: &canvas, row: row) }
    guard let item = list[id: id] else { return }
    let paper: Style.Paper = isCurrent ? .cursor : isSelected ? .selected : .plain
    let first = Style(mark?.ink ?? .strong, on: paper)
    var isEmpty = true
    var hasMatch = highlighter.isEmpty
    for (number, cell) in area.columns.layout.cells.enumerated() {
      guard
        let text = item.cellValue(at: cell.column.path, columns: min(cell.limit, columns.count))?.shownText,
        !text.isEmpty
      else { continue }
      isEmpty = false
      if draw(text, number == 0 ? first : Style(), cell, into: &canvas, row: row) { hasMatch = true }
    }
    if isEmpty {
      write(
        item.id.description, first, at: ListColumns.indent, width: columns.count - ListColumns.indent,
        into: &canvas, row: row)
    }
    if !hasMatch { drawSnippet(of: item, into: &canvas, row: row) }
  }

  private static let minSnippet = 24

  /// Draws the part of an item that matches, after the cells, or over those after the first one.
  private func drawSnippet(of item: Item, into canvas: inout Canvas, row: Int) {
    guard let snippet = highlighter.snippet(of: item) else { return }
    let cells = area.columns.layout.cells
    var start = ListColumns.indent
    if let last = cells.last { start = last.start + last.width + TableLayout.gap }
    if columns.count - start < RowPainter.minSnippet, cells.count > 1 { start = cells[1].start }
    var line = StyledLine("\(snippet.field): ", .dim)
    line.pieces += marked(snippet.text, snippet.matches, Style(.dim)).pieces
    let room = columns.count - start
    let blanks = String(repeating: " ", count: max(room - line.columns, 0))
    line.append(blanks, .plain)
    write(line, at: start, width: room, into: &canvas, row: row)
  }

  /// Returns true if the value has a match.
  private func draw(
    _ text: String, _ style: Style, _ cell: TableLayout.Cell, into canvas: inout Canvas, row: Int
  ) -> Bool {
    // More than fits, so that the canvas cuts it.
    let text = String(text.unicodeScalars.prefix(min(cell.limit, columns.count) * 8 + 64))
    let matches = highlighter.ranges(in: text, of: cell.column.path)
    draw(marked(text, matches, style), text, cell, into: &canvas, row: row)
    // A match beyond the edge of the cell, or under its `…`, is not visible.
    let limit = min(cell.limit, columns.count)
    let end = DisplayText.width(of: text, limit: limit + 1) > limit ? limit - 1 : limit
    return matches.contains { DisplayText.width(of: String(text[..<$0.upperBound]), limit: limit + 1) <= end }
  }

  /// Returns a text with its matches marked.
  private func marked(_ text: String, _ matches: [Range<String.Index>], _ style: Style) -> StyledLine {
    var line = StyledLine()
    var end = text.startIndex
    for match in matches {
      if end < match.lowerBound { line.append(String(text[end..<match.lowerBound]), style) }
      line.append(String(text[match]), .match, on: style.paper)
      end = match.upperBound
    }
    if end < text.endIndex { line.append(String(text[end...]), style) }
    return line
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

  private func write(_ line: StyledLine, at start: Int, width: Int, into canvas: inout Canvas, row: Int) {
    let first = columns.lowerBound + start
    let end = min(first + max(width, 0), columns.upperBound)
    guard first < end else { return }
    canvas.write(line, row: row, columns: first..<end)
  }
}
