import DiffableSnapshot
import PlainStore
import PlainText

/// The lines of one update: a row for each change, aligned, with what it says of the fields beside it, or below it where the window is too
/// narrow for that.
struct UpdateWriter {
  private let update: ResultsUpdate
  private let options: TextOptions
  private let shown: (sections: Int, changes: Int)
  private let titleLimit: Int
  private let placeWidth: Int
  private let nameWidth: Int

  /// What a person takes in at a glance; a longer update is summed up on a terminal.
  static let mostRows = 40
  /// How many fields of one item a terminal shows.
  static let mostNotes = 8
  private static let leastName = 8
  private static let indent = 2
  private static let noteIndent = 6
  /// For each value: room to tell two of them apart, without one text filling the screen.
  private static let noteWidth = (terminal: 40, plain: 120)

  init(_ update: ResultsUpdate, _ options: TextOptions) {
    self.update = update
    self.options = options
    let most = options.isTerminal ? UpdateWriter.mostRows : .max
    let sections = min(update.diff.sections.count, most)
    shown = (sections, min(update.diff.changes.count, most - sections))
    // In a narrow window a title gives way before the numbers of a place do: two of them with ` 10 → `.
    let limits = (place: min(max(options.columns / 2, 24), 60), name: min(options.columns / 5 * 2, 40))
    titleLimit = options.width == nil ? .max : (limits.place - 8) / 2
    var widths = (place: 0, name: 0)
    UpdateWriter.forEachRow(of: update, shown, titleLimit) { row in
      widths.place = max(widths.place, DisplayText.width(of: row.place, limit: limits.place))
      guard row.item != nil else { return }
      widths.name = max(widths.name, DisplayText.width(of: row.name, limit: limits.name))
    }
    (placeWidth, nameWidth) = widths
  }

  func write(to lines: inout TextLines, _ output: inout some ByteOutput) throws {
    try UpdateWriter.forEachRow(of: update, shown, titleLimit) { row in
      write(row, to: &lines)
      try lines.flush(to: &output, above: TextLines.chunk)
    }
    let hidden = (sections: update.diff.sections.count - shown.sections, changes: update.diff.changes.count - shown.changes)
    guard hidden.sections + hidden.changes > 0 else { return }
    let counts = UpdateCounts(sections: hidden.sections, changes: update.diff.changes.suffix(hidden.changes))
    lines.blanks(UpdateWriter.indent)
    lines.say("… and \(Wording.grouped(hidden.sections + hidden.changes)) more: \(counts.words)", in: .dim)
    lines.endLine()
  }

  private static func forEachRow(
    of update: ResultsUpdate, _ shown: (sections: Int, changes: Int), _ titleLimit: Int, _ body: (ChangeRow) throws -> Void
  ) rethrows {
    for change in update.diff.sections.prefix(shown.sections) { try body(ChangeRow(change, in: update)) }
    for change in update.diff.changes.prefix(shown.changes) { try body(ChangeRow(change, in: update, titleLimit: titleLimit)) }
  }

  private func write(_ row: ChangeRow, to lines: inout TextLines) {
    lines.blanks(UpdateWriter.indent)
    lines.say(row.kind.mark, in: row.kind.ink)
    lines.blanks(1)
    let place = lines.column
    lines.show(row.place)
    lines.pad(to: place + placeWidth)
    lines.blanks(2)
    let start = lines.column + nameWidth + 2
    guard let id = row.item else {
      lines.show(row.name, limit: max(options.columns - lines.column, UpdateWriter.leastName))
      return lines.endLine()
    }
    lines.show(row.name, limit: options.width == nil ? .max : nameWidth)
    switch row.kind {
    case .delete: write(reason: "(\(update.reason(forDeleting: id).rawValue))", from: start, to: &lines)
    case .insert: write(preview: FieldNote.notes(onNew: id, in: update), from: start, to: &lines)
    case .move, .update: write(FieldNote.notes(on: id, in: update), from: start, to: &lines)
    }
  }

  private func write(reason: String, from start: Int, to lines: inout TextLines) {
    if start + reason.count <= options.columns {
      lines.pad(to: start)
    } else {
      lines.endLine()
      lines.blanks(UpdateWriter.noteIndent)
    }
    lines.say(reason, in: .dim)
    lines.endLine()
  }

  /// A first look at a new item: as much of its fields as the line holds.
  private func write(preview notes: [FieldNote], from start: Int, to lines: inout TextLines) {
    guard !notes.isEmpty else { return lines.endLine() }
    let isBelow = options.columns - start < UpdateWriter.noteWidth.terminal / 2
    if isBelow { lines.endLine() }
    lines.pad(to: isBelow ? UpdateWriter.noteIndent : start)
    var room = options.columns - lines.column
    for (index, note) in notes.enumerated() where room > 0 {
      let text = (index > 0 ? ", " : "") + note.text(limit: min(room, noteLimit))
      let before = lines.column
      lines.show(text, limit: room)
      room -= lines.column - before
    }
    lines.endLine()
  }

  /// Beside the name where all of them fit, else each on a line of its own: of a change nothing is left out for want of room.
  private func write(_ notes: [FieldNote], from start: Int, to lines: inout TextLines) {
    guard !notes.isEmpty else { return lines.endLine() }
    let texts = notes.prefix(options.isTerminal ? UpdateWriter.mostNotes : .max).map { $0.text(limit: noteLimit) }
    let line = texts.joined(separator: ", ")
    if texts.count == notes.count, options.width == nil || DisplayText.fits(line, in: options.columns - start) {
      lines.pad(to: start)
      lines.show(line)
      return lines.endLine()
    }
    lines.endLine()
    let room = options.columns - UpdateWriter.noteIndent
    for (note, text) in zip(notes, texts) {
      lines.blanks(UpdateWriter.noteIndent)
      lines.show(DisplayText.fits(text, in: room) ? text : note.text(in: room), limit: room)
      lines.endLine()
    }
    if texts.count < notes.count {
      lines.blanks(UpdateWriter.noteIndent)
      lines.say("… and \(Wording.count(notes.count - texts.count, "more field"))", in: .dim)
      lines.endLine()
    }
  }

  private var noteLimit: Int { options.isTerminal ? UpdateWriter.noteWidth.terminal : UpdateWriter.noteWidth.plain }
}
