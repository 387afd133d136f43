import Store
import Printing
import Terminal

/// The last changes of the list in words, as `watch` prints them. It stays at its end while it is there.
struct LogPane {
  private(set) var view = PaneView()
  /// True if the last lines stay visible. A log that was never shown has no size, and no end.
  private var followsEnd = true
  private(set) var lines: [StyledLine] = []
  /// The number of lines that were removed since the start.
  private(set) var removed = 0
  private var entries: [(lines: Int, changes: Int)] = []
  private var changeCount = 0
  /// The title of the last update: its line, counted from the start of the log, and its parts but the origin.
  private var lastUpdate: (line: Int, time: String?, counts: String)?

  private static let empty = StyledLine("No changes yet. Every change to the list appears here.", .dim)
  static let own = "you"
  static let limit = 200
  /// The maximum number of changes of one update. The rest is summarised.
  private static let maxRows = 40
  private static let limits = (notes: 8, width: 40, title: 40)

  init() {
    view.show(PaneText(lines: [LogPane.empty]))
  }

  /// Leaves out changes of the request, which don't change items.
  mutating func record(_ update: ListUpdate<Item>?, _ problems: [ProblemChange] = [], at time: String?) {
    let update = update?.origin == .view ? nil : update
    guard update != nil || !problems.isEmpty else { return }
    var added = update.map(LogPane.rows) ?? []
    for change in problems.prefix(LogPane.maxRows) { added.append(LogPane.line(change)) }
    let hidden = problems.count - LogPane.maxRows
    if hidden > 0 {
      added.append(StyledLine("  … and \(Wording.count(hidden, "more problem"))", .dim))
    }
    let counts = update.map(UpdateCounts.counts) ?? UpdateCounts.words(for: problems)
    if update != nil { lastUpdate = (removed + lines.count, time, counts) }
    append([LogPane.title(time, update?.origin.description, counts)] + added, changes: added.count)
  }

  mutating func markLastUpdateAsOwn() {
    guard let last = lastUpdate, last.line >= removed else { return }
    lines[last.line - removed] = LogPane.title(last.time, LogPane.own, last.counts)
    updateView()
  }

  private static func title(_ time: String?, _ origin: String?, _ counts: String) -> StyledLine {
    StyledLine([time, origin, counts].compactMap { $0 }.joined(separator: "  "), .header)
  }

  mutating func record(_ sentence: String, isFailure: Bool, at time: String? = nil) {
    var line = StyledLine(time.map { "\($0)  " } ?? "", .header)
    line.append(sentence, isFailure ? .problem : .dim)
    append([line], changes: 1)
  }

  private mutating func append(_ added: [StyledLine], changes: Int) {
    lines += added
    entries.append((added.count, changes))
    changeCount += changes
    var gone = 0
    while changeCount > LogPane.limit, entries.count > 1 {
      let entry = entries.removeFirst()
      changeCount -= entry.changes
      gone += entry.lines
      lines.removeFirst(entry.lines)
    }
    removed += gone
    updateView(removing: gone)
  }

  private static func rows(of update: ListUpdate<Item>) -> [StyledLine] {
    let sections = update.diff.sections.prefix(maxRows)
    let changes = update.diff.changes.prefix(maxRows - sections.count)
    var lines = sections.map { line(ChangeRow($0, in: update), in: update) }
    lines += changes.map { line(ChangeRow($0, in: update, titleLimit: limits.title), in: update) }
    let hidden = update.diff.changes.count - changes.count + update.diff.sections.count - sections.count
    if hidden > 0 { lines.append(StyledLine("  … and \(Wording.grouped(hidden)) more", .dim)) }
    return lines
  }

  private static func line(_ change: ProblemChange) -> StyledLine {
    switch change {
    case .raised(let problem): StyledLine([.init("  ! ", Style(.problem)), .init("\(problem)")])
    case .cleared(let problem): StyledLine([.init("  ✓ ", Style(.inserted)), .init("\(problem.path)")])
    }
  }

  private static func line(_ row: ChangeRow, in update: ListUpdate<Item>) -> StyledLine {
    var line = StyledLine("  ")
    line.append(row.kind.mark + " ", row.kind.ink)
    line.append(row.place + "  ", .dim)
    line.append(row.name, row.item == nil ? .plain : .strong)
    guard let id = row.item else { return line }
    switch row.kind {
    case .delete: line.append("  (\(update.reason(forDeleting: id)))", .dim)
    case .insert: append(FieldNote.notes(onNew: id, in: update), to: &line)
    case .move, .update: append(FieldNote.notes(on: id, in: update), to: &line)
    }
    return line
  }

  private static func append(_ notes: [FieldNote], to line: inout StyledLine) {
    guard !notes.isEmpty else { return }
    let shown = notes.prefix(limits.notes)
    line.append("  " + shown.map { $0.text(limit: limits.width) }.joined(separator: ", "))
    if shown.count < notes.count {
      line.append(", … and \(Wording.count(notes.count - shown.count, "more field"))", .dim)
    }
  }

  mutating func fit(_ area: ScreenArea) {
    view.fitBelowTitle(area)
    if followsEnd { view.scroll(.end) }
  }

  private mutating func updateView(removing removed: Int = 0) {
    view.update(PaneText(lines: lines), removing: removed, staysAtEnd: followsEnd)
  }

  mutating func scroll(_ movement: PaneView.Movement) {
    view.scroll(movement)
    followsEnd = view.isAtEnd
  }

  mutating func scroll(wheel input: TerminalInput) {
    view.scroll(wheel: input)
    followsEnd = view.isAtEnd
  }

  func draw(into canvas: inout Canvas, area: ScreenArea) {
    view.draw("Log", into: &canvas, area: area)
  }
}
