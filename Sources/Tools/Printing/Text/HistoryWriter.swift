package import Store

/// Formats the changes of an item in one commit for people: a line about it, then one per field.
package struct HistoryWriter {
  private let options: TextOptions
  private let fields: [FieldPath]

  package init(_ options: TextOptions, showing fields: [FieldPath]) {
    self.options = options
    self.fields = fields
  }

  /// The maximum width of a value: enough to see a difference, but not to fill the screen.
  private var limit: Int { options.isTerminal ? 40 : 120 }

  /// Returns the lines of one commit. The problem is why the new version cannot be read.
  package func text(
    _ heading: String, from old: Item?, to new: Item?, _ changes: FieldChanges?, _ problem: Problem?
  ) -> [UInt8] {
    var lines = TextLines(usesColor: options.usesColor)
    lines.appendEscaped(heading, limit: options.columns, in: .dim)
    lines.endLine()
    switch (old, new, changes) {
    case (_, let new?, let changes?):
      write(FieldNote.notes(on: changes, to: new, showing: fields), .update, &lines)
    case (_, let new?, nil): write(FieldNote.notes(onNew: new, showing: fields), .insert, &lines)
    case (_?, nil, _): write("(removed)", .delete, &lines)
    case (nil, nil, _): break
    }
    if let problem {
      lines.blanks(2)
      lines.append("! ", in: .red)
      lines.appendEscaped(problem.description)
      lines.endLine()
    }
    return lines.bytes
  }

  private func write(_ notes: [FieldNote], _ kind: ChangeRow.Kind, _ lines: inout TextLines) {
    for note in notes { write(note.text(limit: limit), kind, &lines) }
    if notes.isEmpty { write("", kind, &lines) }
  }

  private func write(_ text: String, _ kind: ChangeRow.Kind, _ lines: inout TextLines) {
    lines.blanks(2)
    lines.append(kind.mark, in: kind.ink)
    lines.blanks(1)
    lines.appendEscaped(text, limit: max(options.columns - lines.column, 8))
    lines.endLine()
  }
}
