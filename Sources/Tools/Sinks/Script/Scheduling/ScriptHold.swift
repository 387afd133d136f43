/// The hold of a change that failed, or of all changes after a run that failed for all of them: it
/// decides when they may be tried again.
struct ScriptHold: Sendable {
  /// The condition for the next attempt.
  enum Release: Equatable, Sendable {
    /// Any change after the one with this number.
    case change(after: Int)
    case time(SuspendingClock.Instant)
    /// A request of a person to continue.
    case continuation
  }

  private(set) var release: Release
  private var backoff = Backoff()

  init() {
    release = .continuation
  }

  /// Records a failed attempt.
  ///
  /// - Parameters:
  ///   - change: The number of the last change before the attempt.
  ///   - options: Decides what to wait for.
  mutating func fail(after change: Int, at now: SuspendingClock.Instant, _ options: ScriptOptions) -> ScriptReport.Reaction {
    switch options.onError {
    case .next:
      release = .change(after: change)
      return .nextChange
    case .stop:
      release = .continuation
      return .stop
    case .retry:
      let delay = backoff.fail()
      if backoff.failures >= max(1, options.maxFailures) {
        release = .continuation
        // The program ends, so there is nothing to continue.
        if options.runsOnce { return .nextChange }
        return .parked(failures: backoff.failures)
      }
      release = .time(now + delay)
      return .retry(after: delay)
    }
  }

  /// Returns true if it may be tried again.
  ///
  /// - Parameter change: The number of the last change.
  func isReleased(by change: Int, at now: SuspendingClock.Instant) -> Bool {
    switch release {
    case .change(let last): change > last
    case .time(let time): now >= time
    case .continuation: false
    }
  }

  /// The time at which it may be tried again; nil if it waits for something else.
  var time: SuspendingClock.Instant? {
    if case .time(let time) = release { time } else { nil }
  }
}
