package import Store
package import Streams

/// Describes the events of a list for people: the list as a table, then each update in lines such
/// as `~ 2  dan  rating: 8 → 9`.
///
/// A terminal gets the first lines of a long update and the number of further ones; a pipe gets all
/// lines. Long values are reduced to the parts around their differences; the stream has complete
/// values. All text from files is escaped with `DisplayText`.
package struct EventWriter {
  /// The options. Update them before an event if the window may have changed.
  package var options: TextOptions
  private let root: String
  /// True if updates follow, so that the text says what is watched.
  private let followsChanges: Bool
  private let clock: @Sendable () -> Timestamp

  /// - Parameter clock: Returns the time of a step. Its text is shown, so it decides the time zone.
  package init(
    root: String, options: TextOptions, followsChanges: Bool = true,
    clock: @escaping @Sendable () -> Timestamp
  ) {
    self.root = root
    self.options = options
    self.followsChanges = followsChanges
    self.clock = clock
  }

  /// Returns the text of an event; for a step, under a title or its time.
  package func pieces(of event: ListEvent, titled title: String? = nil) -> OutputPieces {
    switch event {
    case .snapshot(let snapshot): pieces(of: snapshot)
    case .step(let update, let problems):
      pieces(of: update, problems, title ?? update.map { "\(time)  \($0.origin)" } ?? time)
    }
  }

  /// Returns what changed since an earlier run: the first event of a subscription that resumes. If
  /// nothing changed and no updates follow, it is empty, so that cron sends no mail.
  package func resume(_ event: ListEvent?, list: ListSnapshot<Item>) -> OutputPieces {
    var lines = TextLines(usesColor: options.usesColor)
    if followsChanges {
      let count = Wording.count(list.count, "item")
      write(ending: event?.update == nil ? "Nothing changed since the last run · \(count)" : nil, to: &lines)
    }
    let step =
      event.map { pieces(of: $0, titled: "\(time)  since the last run") } ?? OutputPieces(0) { _ in [] }
    return lines.bytes.isEmpty ? step : step.between([], and: lines.bytes)
  }

  /// Writes the line before the updates: a sentence, and what is watched.
  private func write(ending text: String?, to lines: inout TextLines) {
    let parts = (text.map { ["\($0)."] } ?? []) + (followsChanges ? ["Watching \(root)…"] : [])
    lines.appendEscaped(parts.joined(separator: " "), limit: options.columns, in: .dim)
    lines.endLine()
  }

  private func pieces(of snapshot: ListSnapshot<Item>) -> OutputPieces {
    var lines = TextLines(usesColor: options.usesColor)
    lines.endLine()
    let problems = snapshot.problems
    write(problems.map(ProblemChange.raised), indent: 0, to: &lines)
    if !problems.isEmpty { lines.endLine() }
    let counts =
      [Wording.count(snapshot.count, "item")]
      + (problems.isEmpty ? [] : [Wording.count(problems.count, "problem")])
    write(ending: counts.joined(separator: ", "), to: &lines)
    return TableWriter(options).pieces(of: snapshot).between([], and: lines.bytes)
  }

  private func pieces(of update: ListUpdate<Item>?, _ problems: [ProblemChange], _ title: String)
    -> OutputPieces
  {
    var lines = TextLines(usesColor: options.usesColor)
    // `22:31:07  git  1 inserted, 2 updated · 148 items`
    let counts = update.map { UpdateCounts.counts(of: $0) } ?? UpdateCounts.words(for: problems)
    lines.appendEscaped("\(title)  \(counts)", limit: options.columns, in: .dim)
    lines.endLine()
    var end = TextLines(usesColor: options.usesColor)
    write(problems, indent: 2, to: &end)
    let rows = update.map { UpdateWriter($0, options).pieces } ?? OutputPieces(0) { _ in [] }
    return rows.between(lines.bytes, and: end.bytes)
  }

  /// The time of day on a terminal, the complete time elsewhere. The zone is kept: a reader knows
  /// the day, but not the time zone.
  private var time: String {
    let text = clock().text
    guard options.isTerminal, let day = text.utf8.firstIndex(of: UInt8(ascii: "T")) else { return text }
    let time = text[day...].dropFirst()
    return String(time.prefix("hh:mm:ss".count) + time.drop { $0.isNumber || $0 == ":" || $0 == "." })
  }

  private func write(_ problems: [ProblemChange], indent: Int, to lines: inout TextLines) {
    let shown = problems.prefix(options.isTerminal ? UpdateWriter.maxRows : .max)
    for change in shown {
      lines.blanks(indent)
      switch change {
      case .raised(let problem):
        lines.append("! ", in: .red)
        lines.appendEscaped(FolderName(root).description(of: problem))
      case .cleared(let problem):
        lines.append("✓ ", in: .green)
        lines.appendEscaped(FolderName(root).path(of: problem.path))
      }
      lines.endLine()
    }
    guard shown.count < problems.count else { return }
    lines.blanks(indent)
    lines.append("… and \(Wording.count(problems.count - shown.count, "more problem"))", in: .dim)
    lines.endLine()
  }
}
