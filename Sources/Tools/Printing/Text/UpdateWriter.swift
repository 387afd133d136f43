import Store
import Streams

/// Writes the lines of one update: an aligned row per change, with its fields beside it, or below
/// it if the window is too narrow.
struct UpdateWriter {
  private let update: ListUpdate<Item>
  private let options: TextOptions
  private let shown: (sections: Int, changes: Int)
  private let titleLimit: Int
  private let placeWidth: Int
  private let nameWidth: Int

  /// The maximum number of rows on a terminal. The rest of an update is summarised.
  static let maxRows = 40
  static let maxNotes = 8
  private static let minNameWidth = 8
  private static let indent = 2
  private static let noteIndent = 6
  /// The maximum width of a value: enough to see a difference, but not to fill the screen.
  private static let noteWidth = (terminal: 40, plain: 120)

  init(_ update: ListUpdate<Item>, _ options: TextOptions) {
    self.update = update
    self.options = options
    let maxRows = options.isTerminal ? UpdateWriter.maxRows : .max
    let sections = min(update.diff.sections.count, maxRows)
    shown = (sections, min(update.diff.changes.count, maxRows - sections))
    // In a narrow window, titles are cut before the indexes. A place with two of them contains
    // ` 10 → `.
    let limits = (place: min(max(options.columns / 2, 24), 60), name: min(options.columns / 5 * 2, 40))
    titleLimit = options.width == nil ? .max : (limits.place - 8) / 2
    var widths = (place: 0, name: 0)
    for index in 0..<shown.sections + shown.changes {
      let row = UpdateWriter.row(index, of: update, sections: shown.sections, titleLimit)
      widths.place = max(widths.place, DisplayText.width(of: row.place, limit: limits.place))
      if row.item == nil { continue }
      widths.name = max(widths.name, DisplayText.width(of: row.name, limit: limits.name))
    }
    (placeWidth, nameWidth) = widths
  }

  private static let rowsPerPiece = 256

  var pieces: OutputPieces {
    let rows = shown.sections + shown.changes
    let count = max(1, (rows + UpdateWriter.rowsPerPiece - 1) / UpdateWriter.rowsPerPiece)
    return OutputPieces(count) { number in
      var lines = TextLines(usesColor: options.usesColor)
      for index in number * UpdateWriter.rowsPerPiece..<min(rows, (number + 1) * UpdateWriter.rowsPerPiece) {
        write(
          UpdateWriter.row(index, of: update, sections: shown.sections, titleLimit), to: &lines)
      }
      if number == count - 1 { writeRest(to: &lines) }
      return lines.bytes
    }
  }

  private func writeRest(to lines: inout TextLines) {
    let hidden = (
      sections: update.diff.sections.count - shown.sections,
      changes: update.diff.changes.count - shown.changes
    )
    guard hidden.sections + hidden.changes > 0 else { return }
    let counts = UpdateCounts.words(sections: hidden.sections, update.diff.changes.suffix(hidden.changes))
    lines.blanks(UpdateWriter.indent)
    lines.append("… and \(Wording.grouped(hidden.sections + hidden.changes)) more: \(counts)", in: .dim)
    lines.endLine()
  }

  private static func row(_ index: Int, of update: ListUpdate<Item>, sections: Int, _ titleLimit: Int)
    -> ChangeRow
  {
    index < sections
      ? ChangeRow(update.diff.sections[index], in: update)
      : ChangeRow(update.diff.changes[index - sections], in: update, titleLimit: titleLimit)
  }

  private func write(_ row: ChangeRow, to lines: inout TextLines) {
    lines.blanks(UpdateWriter.indent)
    lines.append(row.kind.mark, in: row.kind.ink)
    lines.blanks(1)
    let place = lines.column
    lines.appendEscaped(row.place)
    lines.pad(to: place + placeWidth)
    lines.blanks(2)
    let start = lines.column + nameWidth + TableLayout.gap
    guard let id = row.item else {
      lines.appendEscaped(row.name, limit: max(options.columns - lines.column, UpdateWriter.minNameWidth))
      return lines.endLine()
    }
    lines.appendEscaped(row.name, limit: options.width == nil ? .max : nameWidth)
    switch row.kind {
    case .delete: write(reason: "(\(update.reason(forDeleting: id)))", from: start, to: &lines)
    case .insert: write(preview: FieldNote.notes(onNew: id, in: update), from: start, to: &lines)
    case .move, .update: write(FieldNote.notes(on: id, in: update), from: start, to: &lines)
    }
  }

  private func write(reason: String, from start: Int, to lines: inout TextLines) {
    if start + reason.count <= options.columns {
      lines.startCell(at: start)
    } else {
      lines.endLine()
      lines.blanks(UpdateWriter.noteIndent)
    }
    lines.append(reason, in: .dim)
    lines.endLine()
  }

  /// Writes the first fields of a new item, as many as fit into the line.
  private func write(preview notes: [FieldNote], from start: Int, to lines: inout TextLines) {
    guard !notes.isEmpty else { return lines.endLine() }
    let isBelow = options.columns - start < UpdateWriter.noteWidth.terminal / 2
    if isBelow { lines.endLine() }
    lines.startCell(at: isBelow ? UpdateWriter.noteIndent : start)
    var room = options.columns - lines.column
    for (index, note) in notes.enumerated() where room > 0 {
      let text = (index > 0 ? ", " : "") + note.text(limit: min(room, noteLimit))
      let before = lines.column
      lines.appendEscaped(text, limit: room)
      room -= lines.column - before
    }
    lines.endLine()
  }

  /// Writes all changed fields: beside the name if they fit, otherwise each on its own line.
  private func write(_ notes: [FieldNote], from start: Int, to lines: inout TextLines) {
    guard !notes.isEmpty else { return lines.endLine() }
    let texts = notes.prefix(options.isTerminal ? UpdateWriter.maxNotes : .max).map {
      $0.text(limit: noteLimit)
    }
    let line = texts.joined(separator: ", ")
    if texts.count == notes.count, options.width == nil || DisplayText.fits(line, in: options.columns - start)
    {
      lines.startCell(at: start)
      lines.appendEscaped(line)
      return lines.endLine()
    }
    lines.endLine()
    let room = options.columns - UpdateWriter.noteIndent
    for (note, text) in zip(notes, texts) {
      lines.blanks(UpdateWriter.noteIndent)
      lines.appendEscaped(DisplayText.fits(text, in: room) ? text : note.text(in: room), limit: room)
      lines.endLine()
    }
    if texts.count < notes.count {
      lines.blanks(UpdateWriter.noteIndent)
      lines.append("… and \(Wording.count(notes.count - texts.count, "more field"))", in: .dim)
      lines.endLine()
    }
  }

  private var noteLimit: Int {
    options.isTerminal ? UpdateWriter.noteWidth.terminal : UpdateWriter.noteWidth.plain
  }
}
