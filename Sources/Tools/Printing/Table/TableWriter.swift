package import Store
package import Streams

/// Writes a list as a table for people.
///
/// If there is a window, each line fits into it. Otherwise a cell is cut after 200 columns, or not at
/// all if the table is wide. `ColumnSurvey` chooses the columns. A row with nothing in them shows its
/// id. Iterates over the items twice, to measure and to print, and keeps none of their text.
package struct TableWriter {
  private let options: TextOptions

  package init(_ options: TextOptions) {
    self.options = options
  }

  private static let itemsPerPiece = 500

  /// Returns the table, or a sentence if the list is empty.
  package func pieces(of snapshot: ListSnapshot<Item>) -> OutputPieces {
    let isSectioned = snapshot.request.section != nil
    guard snapshot.count > 0 else {
      return OutputPieces(1) { [self] _ in empty(snapshot, isSectioned: isSectioned) }
    }
    let layout = layout(for: snapshot, indent: isSectioned ? 2 : 0)
    let highlighter = SearchHighlighter(snapshot.request)
    let parts = SnapshotPart.parts(of: snapshot, itemsPerLine: TableWriter.itemsPerPiece)
    return OutputPieces(parts.count) { [self] number in
      var lines = TextLines(usesColor: options.usesColor)
      if number == 0 { writeHeader(layout, to: &lines) }
      for piece in parts[number] {
        if isSectioned, piece.startsSection {
          lines.endLine()
          writeHeading(piece.section, of: snapshot, to: &lines)
        }
        for item in snapshot.items(in: piece.section.id, piece.items) {
          writeRow(item, layout, highlighter, to: &lines)
        }
      }
      return lines.bytes
    }
  }

  private func empty(_ snapshot: ListSnapshot<Item>, isSectioned: Bool) -> [UInt8] {
    var lines = TextLines(usesColor: options.usesColor)
    for section in isSectioned ? snapshot.sections : [] {
      if !lines.bytes.isEmpty { lines.endLine() }
      writeHeading(section, of: snapshot, to: &lines)
    }
    if !lines.bytes.isEmpty { lines.endLine() }
    lines.appendEscaped(snapshot.request.emptyText ?? "No items.")
    lines.endLine()
    return lines.bytes
  }

  private func layout(for snapshot: ListSnapshot<Item>, indent: Int) -> TableLayout {
    let width = options.width == nil || options.isWide ? nil : options.columns
    let limit = width ?? TableLayout.maxAlignedWidth
    var columns = ColumnSurvey.columns(for: snapshot)
    var ids = TableColumn(TableColumn.idPath, .readable)
    var check = TitleCheck(columns, of: snapshot.request)
    snapshot.forEachItem { item, _ in
      for index in columns.indices { columns[index].measure(item, limit: limit) }
      guard check != nil else { return }
      check?.add(item)
      ids.measure(item, limit: limit)
    }
    if check?.needsID == true { columns.insert(ids, at: 1) }
    return TableLayout(
      columns, width: width, indent: indent, limit: options.isWide ? .max : TableLayout.maxCellWidth)
  }

  private func writeHeader(_ layout: TableLayout, to lines: inout TextLines) {
    for cell in layout.cells { write(cell.column.title, in: cell, to: &lines, ink: .dim) }
    if layout.isPartial, let last = layout.cells.last {
      lines.pad(to: last.start + last.width + TableLayout.gap)
      lines.append("…", in: .dim)
    }
    lines.endLine()
  }

  private func writeHeading(
    _ section: ListSection<Item>, of snapshot: ListSnapshot<Item>, to lines: inout TextLines
  ) {
    let count = Wording.grouped(section.count)
    lines.appendEscaped(
      snapshot.heading(of: section.id), limit: max(options.columns - count.count - TableLayout.gap, 1),
      in: .bold)
    lines.blanks(TableLayout.gap)
    lines.append(count, in: .dim)
    lines.endLine()
  }

  private func writeRow(
    _ item: Item, _ layout: TableLayout, _ highlighter: SearchHighlighter, to lines: inout TextLines
  ) {
    let snippet = highlighter.snippet(of: item) { field, text in
      layout.cells.contains { cell in
        cell.column.path == field && !highlighter.ranges(in: String(text.prefix(cell.limit))).isEmpty
      }
    }
    var cells = layout.cells[...]
    let end = cells.last.map { $0.start + $0.width + TableLayout.gap } ?? 0
    if snippet != nil, options.columns - end < TableWriter.minSnippet { cells = cells.prefix(1) }
    for cell in cells {
      if let value = item.cellValue(at: cell.column.path, columns: cell.limit) {
        write(value.cellText, in: cell, to: &lines)
      }
    }
    if lines.column == 0, let first = layout.cells.first {
      lines.startCell(at: first.start)
      lines.appendEscaped(item.id.description, limit: max(first.limit, options.columns - first.start))
    }
    if let snippet {
      write(snippet, at: cells.last.map { $0.start + $0.width + TableLayout.gap } ?? 0, to: &lines)
    }
    lines.endLine()
  }

  private static let minSnippet = 24
  /// The longest snippet, as it is meant for people.
  private static let maxSnippet = 100

  /// Writes the part of an item that matches the search, if no cell shows it.
  private func write(_ snippet: SearchHighlighter.Snippet, at start: Int, to lines: inout TextLines) {
    lines.startCell(at: start)
    var room = min(options.columns - lines.column, TableWriter.maxSnippet)
    func append(_ text: Substring, in ink: TextLines.Ink) {
      let before = lines.column
      if room > 0, !text.isEmpty { lines.appendEscaped(String(text), limit: room, in: ink) }
      room -= lines.column - before
    }
    append("\(snippet.field): ", in: .dim)
    var end = snippet.text.startIndex
    for match in snippet.matches {
      append(snippet.text[end..<match.lowerBound], in: .dim)
      append(snippet.text[match], in: .bold)
      end = match.upperBound
    }
    append(snippet.text[end...], in: .dim)
  }

  /// Blanks are written before a cell, not after it, so no line ends in blanks.
  private func write(
    _ text: String, in cell: TableLayout.Cell, to lines: inout TextLines, ink: TextLines.Ink = .plain
  ) {
    guard !text.isEmpty else { return }
    let flushRight =
      cell.column.isNumeric ? max(cell.width - DisplayText.width(of: text, limit: cell.limit), 0) : 0
    let start = cell.start + flushRight
    lines.startCell(at: start)
    lines.appendEscaped(text, limit: cell.limit, in: ink)
  }
}
