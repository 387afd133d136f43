import Files
import Sinks
import Store
public import Terminal

extension Screen {
  /// Draws the complete screen.
  public func draw() -> Canvas {
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
    panes.difference?.draw(into: &canvas, area: layout.whole)
    panes.prompt.draw(into: &canvas, area: layout.beforeStatus)
    return canvas
  }

  /// Draws the warnings, and a message that does not fit into the status line.
  private func drawMessage(into canvas: inout Canvas) {
    guard let area = layout.message else { return }
    let lines = status.messageRows(columns: area.columns.count)
    for (index, row) in area.rows.enumerated() where index < lines.count {
      var line = lines[index]
      if row == area.rows.last, index < lines.count - 1 { line.append(" …", Style(.dim, on: .bar)) }
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
      case .row(let id): rows.draw(id, into: &canvas, row: row)
      }
    }
    let row = min(listRows.lowerBound + window.cursorLine, max(size.rows - 1, 0))
    canvas.cursor = CellPosition(row: row, column: area.columns.lowerBound)
    if list.count == 0 {
      let rest = min(row + window.lines.count, area.rows.upperBound)..<area.rows.upperBound
      drawEmpty(into: &canvas, ScreenArea(rows: rest, columns: area.columns))
    }
  }

  /// Draws the sentence for an empty list, or the progress of reading.
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
      canvas.write(StyledLine(line, Style(.dim)), row: row, columns: columns)
    }
    canvas.cursor = CellPosition(row: row, column: columns.lowerBound)
  }

  private var emptyText: String {
    guard let list = area.shown else { return "Reading the items …" }
    let request = list.request
    if !request.search.isEmpty { return "No item matches the search." }
    if request.predicate != nil, status.total(of: list) > 0 { return "No item matches the predicate." }
    return request.emptyText ?? "No items."
  }
}

/// The order, the view and the filters of the list in the status line.
extension Screen {
  /// The maximum number of columns of a predicate.
  private static let maxPredicate = 40

  /// The predicate and the search. A line that is edited shows its own text.
  private var filterTexts: [String] {
    var texts: [String] = []
    if let predicate = area.shown?.request.predicate, !(panes.prompt.pane is PredicateLine) {
      texts.append(":" + DisplayText.safe(predicate.text, limit: Screen.maxPredicate))
    }
    if !search.isEmpty, layout.line == nil { texts.append("/\(search)") }
    return texts
  }

  /// The view, the sort order, the sections, and the key that shows the help, if it does so now.
  private var orderTexts: [String] {
    var texts: [String] = []
    if let view { texts.append("view \(DisplayText.safe(view))") }
    if let request = area.shown?.request {
      if !request.sort.isEmpty {
        texts.append("sort " + request.sort.map { DisplayText.safe("\($0)") }.joined(separator: ","))
      }
      if let path = request.section?.path { texts.append("section " + DisplayText.safe("\(path)")) }
    }
    if !panes.hasDialog, let key = options.keys.keys(of: .help).first { texts.append("\(key) help") }
    return texts
  }
}
