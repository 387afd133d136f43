import PlainStore
import Sinks
import TerminalDevice
import TerminalText

/// The content of the status line: the counters of the list, and a message.
struct StatusText: Sendable {
  /// A message, until the next key.
  struct Message: Hashable, Sendable {
    /// One sentence.
    var text: String
    /// True if something was refused or failed.
    var isFailure = false
  }

  /// The message; nil if there is none.
  var message: Message?
  /// The number of files that were read before the first list.
  var filesRead = 0
  /// The step that the next undo takes back; nil if there is none.
  var nextUndo: UndoSummary?
  /// True if the terminal answers queries.
  var isAnswering = false

  private var problemCount = 0
  private var lastChange: String?
  private var isPolled = false

  /// Adopts the counters of a report.
  mutating func show(_ report: ListReport) {
    problemCount = report.snapshot.problemCount
    isPolled = report.isPolled
    if let update = report.update, !update.isInitial, update.origin != .view {
      lastChange = [update.origin.description, report.time].compactMap(\.self).joined(separator: " ")
    }
  }

  /// Returns the line.
  ///
  /// - Parameters:
  ///   - list: The list that is shown; nil before the first one.
  ///   - selected: The number of selected rows.
  ///   - pause: The pause; nil if the list is live.
  ///   - search: The search text, if no line shows it.
  func line(_ list: ResultsSnapshot?, selected: Int, pause: ListPause?, search: String) -> StyledLine {
    var line = StyledLine()
    func add(_ text: String, _ ink: Style.Ink = .plain) {
      line.append(line.pieces.isEmpty ? " " : " · ", Style(.dim, on: .bar))
      line.append(text, Style(ink, on: .bar))
    }
    guard let list else {
      add("Reading … \(Wording.count(filesRead, "file"))")
      return line
    }
    add(counter(of: list))
    if let message {
      add(message.text, message.isFailure ? .problem : .strong)
      return line
    }
    if let pause { add("paused, \(Wording.grouped(pause.count)) waiting", .strong) }
    if selected > 0 { add("\(Wording.grouped(selected)) selected", .strong) }
    if !search.isEmpty { add("/\(search)", .match) }
    if problemCount > 0 { add(Wording.count(problemCount, "problem"), .problem) }
    if let lastChange { add("last change: \(lastChange)") }
    if isPolled { add("polled", .problem) }
    return line
  }

  private func counter(of list: ResultsSnapshot) -> String {
    let total = max(list.list.numberOfAllItems, list.totalCount)
    return list.count == total ? Wording.count(total, "item") : "\(Wording.grouped(list.count)) of \(Wording.grouped(total))"
  }
}
