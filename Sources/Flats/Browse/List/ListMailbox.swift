import Sinks
import Store
import Synchronization

/// The events that the follower has for the loop of the screen, until the loop takes them.
///
/// One lock guards the contents. Nothing else is locked while it is held, and `wake` is called
/// outside of it.
final class ListMailbox: Sendable {
  private struct Contents {
    var filesRead: Int?
    var reports: [ListReport] = []
    var document: ItemDocument?
    var outcomes: [ActionOutcome] = []
    var failure: (any Error)?
    /// A task that waits until the reports are taken.
    var waiter: CheckedContinuation<Void, Never>?

    var isEmpty: Bool {
      filesRead == nil && reports.isEmpty && document == nil && outcomes.isEmpty && failure == nil
    }
  }

  /// Lock: guards what the follower has for the loop of the screen.
  private let contents = Mutex(Contents())
  private let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) {
    self.wake = wake
  }

  /// Puts the number of files that were read so far. Numbers may come in any order.
  func put(filesRead: Int) { put { $0.filesRead = max($0.filesRead ?? 0, filesRead) } }

  /// Puts a report. A report without an update replaces the one before it.
  func put(_ report: ListReport) {
    put { contents in
      var report = report
      if report.update == nil, let last = contents.reports.last, last.update == nil {
        report.problems = last.problems + report.problems
        report.time = report.time ?? last.time
        report.hints = report.hints ?? last.hints
        contents.reports.removeLast()
      }
      contents.reports.append(report)
      contents.filesRead = nil
    }
  }

  /// Puts the document of an item, which replaces the previous document.
  func put(_ document: ItemDocument) { put { $0.document = document } }

  /// Puts an outcome, with the time of day.
  func put(_ outcome: ActionOutcome) {
    var outcome = outcome
    outcome.time = outcome.time ?? WallClock.timeOfDay()
    put { $0.outcomes.append(outcome) }
  }

  func put(_ failure: any Error) { put { $0.failure = $0.failure ?? failure } }

  private func put(_ change: (inout Contents) -> Void) {
    let wasEmpty = contents.withLock { contents in
      defer { change(&contents) }
      return contents.isEmpty
    }
    if wasEmpty { wake() }
  }

  /// Takes everything, in the order in which a screen needs it.
  ///
  /// - Throws: The error that ended the follower.
  func take() throws -> [ScreenEvent] {
    let taken = contents.withLock { contents in
      let taken = contents
      contents = Contents()
      contents.failure = taken.failure
      return taken
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
      let isTaken = contents.withLock { contents in
        if contents.reports.isEmpty || contents.failure != nil { return true }
        contents.waiter = continuation
        return false
      }
      if isTaken { continuation.resume() }
    }
  }

  /// Ends the wait for the loop, which accepts nothing more.
  func close() {
    let waiter = contents.withLock { contents in
      contents.reports = []
      defer { contents.waiter = nil }
      return contents.waiter
    }
    waiter?.resume()
  }
}
