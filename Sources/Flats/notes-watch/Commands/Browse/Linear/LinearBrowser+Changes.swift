import Browse
import DiffableSnapshot
import Files
import PlainStore
import Sinks
import Values

/// The changes that are printed while one listens.
extension LinearBrowser {
  mutating func receive(_ new: ListReport) {
    let isFirst = report == nil
    let wasPolled = report?.isPolled ?? false
    report = new
    if isFirst {
      say("\(DisplayText.safe(options.folder)): \(Wording.plainCount(new.snapshot.totalCount, "item")). Type help for the commands.")
    }
    if new.isPolled, !wasPolled { say("The folder cannot be watched. It is read again at intervals.") }
    if pausedAt == nil { sayProblems(new.snapshot) }
    sayWarnings(new.snapshot)
    switch phase {
    case .starting:
      phase = .idle
      printNewList()
    case .awaitingList(let change) where new.update == nil && change.isMade(in: new.snapshot.request):
      phase = .idle
      if pausedAt != nil { pausedAt = new.snapshot }
      say("\(Wording.plainCount(new.snapshot.totalCount, "item")).")
      printNewList()
    default:
      if pausedAt == nil, let update = new.update { describe(update) }
    }
  }

  /// Prints one line for each change of an update, up to a number.
  mutating func describe(_ update: ResultsUpdate) {
    guard var printed else { return }
    var lines = update.diff.sections.compactMap { printed.wording.line(about: $0, in: update) }
    for change in update.diff.changes {
      let row = change.item
      let isNew = if case .insert = change { true } else { false }
      // Each change counts, printed or not: a later line may name the number.
      let number = isNew ? printed.number(new: row) : printed.number(of: row)
      guard lines.count < LinearBrowser.maxChangeLines else { continue }
      if let item = update.new[id: row] ?? update.new.storeItems[row.item], number != nil { printed.tell(item, as: row) }
      lines.append(printed.wording.line(about: change, in: update, number: number))
    }
    let total = update.diff.sections.count + update.diff.changes.count
    self.printed = printed
    for line in lines {
      say(line)
      log.append(line)
    }
    if total > lines.count, lines.count >= LinearBrowser.maxChangeLines {
      let line = "\(Wording.plainCount(total - lines.count, "more change")). Type list for the list as it is now."
      say(line)
      log.append(line)
    }
    log.removeFirst(max(log.count - LinearBrowser.maxLogLines, 0))
  }

  private mutating func sayWarnings(_ snapshot: ResultsSnapshot) {
    for warning in snapshot.warnings where !warnings.contains(warning) { say("Warning: \(warning)") }
    warnings = snapshot.warnings
  }

  private mutating func sayProblems(_ snapshot: ResultsSnapshot) {
    let now = Set(snapshot.problems)
    if now == problems { return }
    let raised = snapshot.problems.filter { !problems.contains($0) }
    let paths = Set(now.map(\.path))
    let solved = problems.filter { !paths.contains($0.path) }.sorted { $0.path < $1.path }
    problems = now
    for problem in raised.prefix(LinearBrowser.maxChangeLines) { say("Problem: \(problem)") }
    if raised.count > LinearBrowser.maxChangeLines {
      say("\(raised.count - LinearBrowser.maxChangeLines) more problems. Type problems for all.")
    }
    for problem in solved.prefix(LinearBrowser.maxChangeLines) { say("Solved: \(problem.path).") }
    if solved.count > LinearBrowser.maxChangeLines { say("\(solved.count - LinearBrowser.maxChangeLines) more solved.") }
  }

  /// Prints the outcome of an action, or the reason why a list cannot be shown.
  mutating func receive(_ outcome: ActionOutcome) {
    describe(outcome)
    if case .delete(let items)? = outcome.action, !outcome.isFailure {
      let deleted = Set(items.map(\.id))
      selection.removeAll { deleted.contains($0.id) }
    }
    switch phase {
    case .awaitingOutcome: phase = .idle
    case .awaitingList where outcome.isFailure: phase = .idle
    default: break
    }
  }

  private mutating func describe(_ outcome: ActionOutcome) {
    for line in outcome.message.split(separator: "\n") { say(String(line)) }
    guard let difference = outcome.difference else { return }
    let lines = String(decoding: difference.prefix(20_000), as: UTF8.self).split(whereSeparator: \.isNewline)
    for line in lines.prefix(100) { say(DisplayText.safe(String(line), limit: 1_000)) }
    say("Type list to see the items as they are now.")
  }

  mutating func printLog(_ count: Int?) {
    if log.isEmpty { return say("Nothing changed yet.") }
    for line in log.suffix(count ?? LinearBrowser.pageSize) { say(line) }
  }

  mutating func pause() {
    if pausedAt != nil { return say("Already paused. Type resume to go on.") }
    pausedAt = report?.snapshot
    say("Paused. Type resume to hear what changed.")
  }

  mutating func resume() {
    guard let old = pausedAt, let new = report?.snapshot else { return say("Not paused.") }
    pausedAt = nil
    let update = ResultsUpdate(from: old, to: new, touched: nil, origin: .files)
    let count = update.diff.sections.count + update.diff.changes.count
    say(count == 0 ? "Nothing changed." : "\(Wording.plainCount(count, "change")) since pause.")
    sayProblems(new)
    describe(update)
  }
}

extension RequestChange {
  /// Returns true if a request can be the result of this change.
  fileprivate func isMade(in request: FetchRequest) -> Bool {
    switch self {
    case .search(let text): request.search == text
    case .sort(let fields): request.sort == fields
    case .section(let section): request.section == section
    case .predicate(let predicate): predicate == nil || request.predicate == predicate
    case .view: true
    }
  }
}
