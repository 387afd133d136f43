import DiffableSnapshot
import DirectoryWatch
package import PlainStore
package import PlainText

/// Prints for people what the stream reports to programs: the list as a table, then each update in
/// lines such as `~ 2  dan  rating: 8 → 9`.
///
/// A terminal gets the first lines of a long update and the number of further ones; a pipe gets all
/// lines. Long values are reduced to the parts around their differences; the stream has complete
/// values. All text from files is escaped with `DisplayText`.
///
/// ```swift
/// var sink = TextSink(root: "colors", options: .plain, output: StandardOutput()) { Timestamp.now }
/// for await event in results.events { try sink.receive(event) }
/// ```
package struct TextSink<Output: ByteOutput> {
  /// The destination of the text.
  package private(set) var output: Output
  private let root: String
  /// The options. Update them before an event if the window may have changed.
  package var options: TextOptions
  private let clock: @Sendable () -> Timestamp
  /// True if updates follow, so that the text says what is watched.
  private let followsChanges: Bool

  /// Makes a sink.
  ///
  /// - Parameters:
  ///   - root: The folder's name in `Watching colors…`.
  ///   - options: The terminal or file to write for.
  ///   - output: The destination of the text.
  ///   - clock: Returns the time of a step. Its text is shown, so it decides the time zone; local
  ///     time without a zone is the shortest.
  ///   - followsChanges: False if the program ends after the list.
  package init(
    root: String, options: TextOptions, output: Output, followsChanges: Bool = true, clock: @escaping @Sendable () -> Timestamp
  ) {
    self.followsChanges = followsChanges
    self.root = root
    self.options = options
    self.output = output
    self.clock = clock
  }

  /// Writes an event completely before it returns. Throws the errors of the output.
  package mutating func receive(_ event: ResultsEvent) throws {
    switch event {
    case .snapshot(let snapshot): try receive(snapshot)
    case .step(let update, let problems): try receive(update, problems, update.map { "\(time)  \($0.origin)" } ?? time)
    }
  }

  /// Writes a step with a title instead of its time.
  package mutating func receive(_ event: ResultsEvent, titled title: String) throws {
    guard case .step(let update, let problems) = event else { return try receive(event) }
    try receive(update, problems, title)
  }

  /// Writes what changed since an earlier run. If nothing changed and no updates follow, it writes
  /// nothing, so that cron sends no mail.
  ///
  /// - Parameters:
  ///   - event: The first event of a subscription that resumes; nil if there is none.
  ///   - list: The list as it is now.
  package mutating func resume(_ event: ResultsEvent?, list: ResultsSnapshot) throws {
    if let event { try receive(event, titled: "\(time)  since the last run") }
    var lines = TextLines(usesColor: options.usesColor)
    if followsChanges {
      let count = Wording.count(list.count, "item")
      write(ending: event?.update == nil ? "Nothing changed since the last run · \(count)" : nil, to: &lines)
    }
    try lines.flush(to: &output)
  }

  /// Writes the line before the updates: a sentence, and what is watched.
  private func write(ending text: String?, to lines: inout TextLines) {
    let parts = (text.map { ["\($0)."] } ?? []) + (followsChanges ? ["Watching \(root)…"] : [])
    lines.appendEscaped(parts.joined(separator: " "), limit: options.columns, in: .dim)
    lines.endLine()
  }

  private mutating func receive(_ snapshot: ResultsSnapshot) throws {
    try TableWriter(options).write(snapshot, to: &output)
    var lines = TextLines(usesColor: options.usesColor)
    lines.endLine()
    let problems = snapshot.problems
    write(problems.map(ProblemChange.raised), indent: 0, to: &lines)
    if !problems.isEmpty { lines.endLine() }
    let counts = [Wording.count(snapshot.count, "item")] + (problems.isEmpty ? [] : [Wording.count(problems.count, "problem")])
    write(ending: counts.joined(separator: ", "), to: &lines)
    try lines.flush(to: &output)
  }

  private mutating func receive(_ update: ResultsUpdate?, _ problems: [ProblemChange], _ title: String) throws {
    var lines = TextLines(usesColor: options.usesColor)
    lines.appendEscaped(heading(update, problems, title), limit: options.columns, in: .dim)
    lines.endLine()
    if let update { try UpdateWriter(update, options).write(to: &lines, &output) }
    write(problems, indent: 2, to: &lines)
    try lines.flush(to: &output)
  }

  /// `22:31:07  git  1 inserted, 2 updated · 148 items`
  private func heading(_ update: ResultsUpdate?, _ problems: [ProblemChange], _ title: String) -> String {
    guard let update else { return "\(title)  \(summary(of: problems))" }
    let counts = UpdateCounts(sections: update.diff.sections.count, changes: update.diff.changes)
    return "\(title)  \(counts.words) · \(Wording.count(update.new.count, "item"))"
  }

  private func summary(of problems: [ProblemChange]) -> String {
    let raised = problems.count { if case .raised = $0 { true } else { false } }
    let solved = problems.count - raised
    if solved == 0 { return Wording.count(raised, "problem") }
    return raised == 0
      ? "\(Wording.count(solved, "problem")) solved" : "\(Wording.count(raised, "problem")), \(Wording.grouped(solved)) solved"
  }

  /// The time of day on a terminal, the complete time elsewhere. The zone is kept: a reader knows
  /// the day, but not the clock's zone.
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
