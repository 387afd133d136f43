import Printing
import Store
import Terminal

/// The content of the status line: the counters of the list, and a message.
struct StatusText {
  struct Message {
    var text: String
    var isFailure = false

    fileprivate var style: Style { Style(isFailure ? .problem : .strong, on: .bar) }
  }

  var message: Message?
  var filesRead = 0
  var nextSteps: [UndoDirection: UndoSummary] = [:]

  /// The hints about the request, as about a field that no item has.
  private(set) var hints: [String] = []
  /// The warnings about the request, which are shown for as long as they hold.
  private(set) var warnings: [String] = []
  private var storeCount = 0
  private var problemCount = 0
  private var lastChange: (origin: String, time: String?)?
  private var isPolled = false

  mutating func show(_ report: ListReport) {
    problemCount = report.snapshot.problemCount
    isPolled = report.isPolled
    storeCount = report.storeCount
    if let hints = report.hints { self.hints = hints }
    warnings = report.snapshot.warnings.map { "Warning: \($0)" }
    if let update = report.update, !update.isInitial, update.origin != .view {
      lastChange = (update.origin.description, report.time)
    }
  }

  mutating func markLastChangeAsOwn() { lastChange?.origin = LogPane.own }

  /// Returns the rows above the status line: a message that does not fit into it, and the warnings.
  func messageRows(columns: Int) -> [StyledLine] {
    guard columns > 1 else { return [] }
    let long = message.flatMap { isLong($0, columns) ? $0 : nil }
    let texts = (long.map { [$0] } ?? []) + warnings.map { Message(text: $0, isFailure: true) }
    return texts.flatMap { message in
      LinePrompt.wrap(message.text, columns: columns - 1).map { StyledLine(" \($0)", message.style) }
    }
  }

  private func isLong(_ message: Message, _ columns: Int) -> Bool {
    1 + DisplayText.width(of: message.text) > columns
  }

  /// Returns the status without its message if `messageRows(columns:)` has it.
  func withoutLongMessage(columns: Int) -> StatusText {
    var status = self
    if let message, isLong(message, columns) { status.message = nil }
    return status
  }

  /// The counters of the list (nil before the first one), a message, which has the columns alone if it needs
  /// them, and what no other line shows. As many of the last texts of `order` as fit are at the right end.
  func line(
    _ list: ListSnapshot<Item>?, selected: Int, pause: ListPause?, filter: [String], order: [String],
    columns: Int
  ) -> StyledLine {
    var line = StyledLine()
    func add(_ text: String, _ ink: Style.Ink = .plain) {
      line.append(line.pieces.isEmpty ? " " : " · ", .dim, on: .bar)
      line.append(text, ink, on: .bar)
    }
    guard let list else {
      add("Reading … \(Wording.count(filesRead, "file"))")
      return line.with(order.suffix(1), atEndOf: columns)
    }
    add(counter(of: list))
    if let message {
      if line.columns + StyledLine(" · \(message.text)").columns > columns { line = StyledLine() }
      add(message.text, message.style.ink)
    }
    if let pause { add("paused, \(Wording.grouped(pause.count)) waiting", .strong) }
    if selected > 0 { add("\(Wording.grouped(selected)) selected", .strong) }
    for text in filter { add(text, .match) }
    if problemCount > 0 { add(Wording.count(problemCount, "problem"), .problem) }
    if let lastChange {
      let text = [lastChange.origin, lastChange.time].compactMap(\.self).joined(separator: " ")
      let room = columns - line.columns - StyledLine(" · ").columns
      if let text = ["last change: \(text)", text].first(where: { DisplayText.width(of: $0) <= room }) {
        add(text)
      }
    }
    if isPolled { add("polled", .problem) }
    return line.with(order[...], atEndOf: columns)
  }

  /// Counts an item as often as the list has rows for it.
  func total(of list: ListSnapshot<Item>) -> Int {
    max(list.list.numberOfAllItems, list.totalCount, storeCount)
  }

  private func counter(of list: ListSnapshot<Item>) -> String {
    let total = total(of: list)
    return list.count == total
      ? Wording.count(total, "item") : "\(Wording.grouped(list.count)) of \(Wording.grouped(total))"
  }
}

extension StyledLine {
  /// Puts as many of the last texts at the end as there is room for.
  fileprivate func with(_ texts: ArraySlice<String>, atEndOf columns: Int) -> StyledLine {
    let used = self.columns + 2
    for first in texts.indices {
      let end = texts[first...].joined(separator: " · ") + " "
      let room = columns - DisplayText.width(of: end)
      guard used <= room else { continue }
      var line = self
      line.append(String(repeating: " ", count: room - self.columns) + end, .dim, on: .bar)
      return line
    }
    return self
  }
}
