import DiffableSnapshot
import PlainStore
import Sinks
import TerminalDevice

/// The last changes of the list in words, as `watch` prints them.
struct ChangeLog: Sendable {
  /// The lines, oldest first.
  private(set) var lines: [StyledLine] = []
  /// The number of lines that were removed since the start.
  private(set) var removed = 0
  /// The number of lines and of changes in each entry.
  private var entries: [(lines: Int, changes: Int)] = []
  private var changeCount = 0

  /// The maximum number of changes in the log.
  static let limit = 200
  /// The maximum number of changes of one update. The rest is summarised.
  private static let maxRows = 40
  /// The maximum number of fields per item, and the width of a value.
  private static let limits = (notes: 8, width: 40, title: 40)

  /// Adds an update. Changes of the request are no changes of items, and are left out.
  ///
  /// - Parameters:
  ///   - update: The update.
  ///   - time: The time of day; nil if it is not known.
  mutating func record(_ update: ResultsUpdate, at time: String?) {
    guard update.origin != .view else { return }
    let title = (time.map { "\($0)  " } ?? "") + update.origin.description
    var added = [StyledLine(UpdateCounts.heading(of: update, titled: title), Style(.header))]
    let changes = update.itemChanges
    let sections = update.diff.sections.prefix(ChangeLog.maxRows)
    for change in sections { added.append(line(ChangeRow(change, in: update), in: update)) }
    let shown = changes.prefix(ChangeLog.maxRows - sections.count)
    for change in shown { added.append(line(ChangeRow(change, in: update, titleLimit: ChangeLog.limits.title), in: update)) }
    let hidden = changes.count - shown.count + update.diff.sections.count - sections.count
    if hidden > 0 { added.append(StyledLine("  … and \(Wording.grouped(hidden)) more", Style(.dim))) }
    lines += added
    entries.append((added.count, sections.count + shown.count))
    changeCount += sections.count + shown.count
    trim()
  }

  /// Adds a sentence, as about an action.
  mutating func record(_ sentence: String, isFailure: Bool) {
    lines.append(StyledLine(sentence, Style(isFailure ? .problem : .dim)))
    entries.append((1, 1))
    changeCount += 1
    trim()
  }

  private mutating func trim() {
    while changeCount > ChangeLog.limit, entries.count > 1 {
      let entry = entries.removeFirst()
      changeCount -= entry.changes
      removed += entry.lines
      lines.removeFirst(entry.lines)
    }
  }

  private func line(_ row: ChangeRow, in update: ResultsUpdate) -> StyledLine {
    var line = StyledLine("  ")
    line.append(row.kind.mark + " ", Style(row.kind.ink))
    line.append(row.place + "  ", Style(.dim))
    line.append(row.name, Style(row.item == nil ? .plain : .strong))
    guard let id = row.item else { return line }
    switch row.kind {
    case .delete: line.append("  (\(update.reason(forDeleting: id)))", Style(.dim))
    case .insert: append(FieldNote.notes(onNew: id, in: update), to: &line)
    case .move, .update: append(FieldNote.notes(on: id, in: update), to: &line)
    }
    return line
  }

  private func append(_ notes: [FieldNote], to line: inout StyledLine) {
    guard !notes.isEmpty else { return }
    let shown = notes.prefix(ChangeLog.limits.notes)
    line.append("  " + shown.map { $0.text(limit: ChangeLog.limits.width) }.joined(separator: ", "))
    if shown.count < notes.count { line.append(", … and \(Wording.count(notes.count - shown.count, "more field"))", Style(.dim)) }
  }
}

extension ChangeRow.Kind {
  /// The ink of the sign.
  var ink: Style.Ink {
    switch self {
    case .insert: .inserted
    case .delete: .deleted
    case .move: .moved
    case .update: .changed
    }
  }
}
