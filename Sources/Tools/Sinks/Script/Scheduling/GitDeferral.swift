import Watch

/// Delays runs while a git operation of several steps is in progress.
struct GitDeferral: Sendable {
  /// The time between two checks while a run waits.
  static let interval = Duration.milliseconds(250)

  /// The longest time for which runs wait.
  let limit: Duration
  /// The time at which the first run began to wait.
  private var began: SuspendingClock.Instant?
  /// True once the limit was exceeded, until the operation ends.
  private var isExceeded = false

  init(limit: Duration) {
    self.limit = limit
  }

  /// The next step of a run that could begin.
  enum Decision: Equatable, Sendable {
    case run
    case wait(until: SuspendingClock.Instant)
    /// The wait was too long. Comes once per operation.
    case runAnyway(GitOperation)
  }

  /// Decides if a run may begin.
  ///
  /// - Parameter operation: The operation that is in progress now.
  mutating func decide(_ operation: GitOperation?, at now: SuspendingClock.Instant) -> Decision {
    guard let operation else {
      isExceeded = false
      began = nil
      return .run
    }
    if isExceeded { return .run }
    let end = (began ?? now) + limit
    if now < end {
      began = began ?? now
      return .wait(until: min(now + GitDeferral.interval, end))
    }
    isExceeded = true
    began = nil
    return .runAnyway(operation)
  }

  /// Records that no run waits any more.
  mutating func cancelWait() {
    began = nil
  }
}
