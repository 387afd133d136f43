import Printing
import Synchronization

extension ListFollower {
  /// The reports, documents and outcomes that the loop of the screen has not fetched yet.
  struct News {
    var filesRead: Int?
    var reports: [ListReport] = []
    var document: ItemDocument?
    var outcomes: [ActionOutcome] = []
    var failure: (any Error)?
    var waiter: CheckedContinuation<Void, Never>?

    var isEmpty: Bool {
      filesRead == nil && reports.isEmpty && document == nil && outcomes.isEmpty && failure == nil
    }
  }

  /// Puts the number of files that were read so far. Numbers may come in any order.
  func put(filesRead: Int) { put { $0.news.filesRead = max($0.news.filesRead ?? 0, filesRead) } }

  /// Puts a report. A report without an update replaces the one before it.
  func put(_ report: ListReport) {
    put { state in
      state.settings = report.settings
      var report = report
      if report.update == nil, let last = state.news.reports.last, last.update == nil {
        report.problems = last.problems + report.problems
        report.time = report.time ?? last.time
        report.hints = report.hints ?? last.hints
        state.news.reports.removeLast()
      }
      state.news.reports.append(report)
      state.news.filesRead = nil
    }
  }

  func put(_ document: ItemDocument) { put { $0.news.document = document } }

  func put(_ outcome: ActionOutcome) {
    var outcome = outcome
    outcome.time = outcome.time ?? WallClock.timeOfDay()
    put { $0.news.outcomes.append(outcome) }
  }

  func put(_ failure: any Error) { put { $0.news.failure = $0.news.failure ?? failure } }

  private func put(_ change: (inout State) -> Void) {
    let wasEmpty = state.withLock { state in
      defer { change(&state) }
      return state.news.isEmpty
    }
    if wasEmpty { wake() }
  }

  /// Takes what is new, in the order in which a screen needs it: the progress of opening, reports,
  /// the document, outcomes of actions.
  ///
  /// - Throws: The `StoreError`, `SettingsError` or `Problem` that prevents the list from opening.
  package func takeEvents() throws -> [ScreenEvent] {
    let taken = state.withLock { state in
      exchange(&state.news, with: News(failure: state.news.failure))
    }
    taken.waiter?.resume()
    if let failure = taken.failure { throw failure }
    var events: [ScreenEvent] = []
    if let count = taken.filesRead { events.append(.progress(read: count)) }
    events += taken.reports.map(ScreenEvent.list)
    if let document = taken.document { events.append(.document(document)) }
    return events + taken.outcomes.map(ScreenEvent.outcome)
  }

  /// Waits until the loop has taken all reports. One task may wait at a time.
  func reportsTaken() async {
    await withCheckedContinuation { continuation in
      let isTaken = state.withLock { state in
        if state.news.reports.isEmpty || state.news.failure != nil { return true }
        state.news.waiter = continuation
        return false
      }
      if isTaken { continuation.resume() }
    }
  }

  /// Ends the wait for the loop, which accepts nothing more.
  func dropReports() {
    let waiter = state.withLock { state in
      state.news.reports = []
      return exchange(&state.news.waiter, with: nil)
    }
    waiter?.resume()
  }
}
