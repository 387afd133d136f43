package import PlainStore
package import PlainText

/// Says to a person what a commit did to an item: a line about the commit, and below it a line a field.
package struct HistoryWriter {
  private let options: TextOptions
  private let fields: [FieldPath]

  /// - Parameter fields: those that are shown; all where it is empty.
  package init(_ options: TextOptions, showing fields: [FieldPath]) {
    self.options = options
    self.fields = fields
  }

  /// For each value: room to tell two of them apart, without one text filling the screen.
  private var limit: Int { options.isTerminal ? 40 : 120 }

  /// - Parameters:
  ///   - heading: what there is to say of the commit.
  ///   - changes: nil where the item came or went.
  package func text(_ heading: String, from old: Item?, to new: Item?, _ changes: FieldChanges?, _ problem: Problem?) -> [UInt8] {
    var lines = TextLines(usesColor: options.usesColor)
    lines.show(heading, limit: options.columns, in: .dim)
    lines.endLine()
    switch (old, new, changes) {
    case (_, let new?, let changes?): write(FieldNote.notes(on: changes, to: new, showing: fields), .update, &lines)
    case (_, let new?, nil): write(FieldNote.notes(onNew: new, showing: fields), .insert, &lines)
    case (_?, nil, _): write("(removed)", .delete, &lines)
    case (nil, nil, _): break
    }
    if let problem {
      lines.blanks(2)
      lines.say("! ", in: .red)
      lines.show(problem.description)
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
    lines.say(kind.mark, in: kind.ink)
    lines.blanks(1)
    lines.show(text, limit: max(options.columns - lines.column, 8))
    lines.endLine()
  }
}
