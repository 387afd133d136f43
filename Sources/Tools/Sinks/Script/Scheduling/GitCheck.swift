import Watch

/// The git checks before a run or a line may begin.
struct GitCheck: Sendable {
  /// The state of the checks.
  private enum Answer: Equatable {
    case none, asked, idle
    case busy(until: SuspendingClock.Instant)
  }

  /// The answer to a request to begin.
  enum Permission: Equatable {
    case granted
    /// Not now: a git operation is in progress, or its check is.
    case denied
    /// Check for git operations, and call `record` with the result.
    case needsCheck
  }

  private var deferral: GitDeferral
  /// The answer of the last check that no run has used.
  private var answer = Answer.none

  /// - Parameter limit: The longest time for which runs wait.
  init(limit: Duration) {
    deferral = GitDeferral(limit: limit)
  }

  /// The time of the next check while a run waits; nil if none waits.
  var nextTime: SuspendingClock.Instant? {
    if case .busy(let time) = answer { time } else { nil }
  }

  /// Requests to begin a run.
  mutating func permission(at now: SuspendingClock.Instant) -> Permission {
    switch answer {
    case .idle: return .granted
    case .asked: return .denied
    case .busy(let time) where now < time: return .denied
    case .none, .busy:
      answer = .asked
      return .needsCheck
    }
  }

  /// Records the operation that a check found; nil for none.
  ///
  /// - Returns: The operation and the limit if the wait was too long, and runs begin anyway.
  mutating func record(_ operation: GitOperation?, at now: SuspendingClock.Instant) -> (
    operation: GitOperation, limit: Duration
  )? {
    guard answer == .asked else { return nil }
    switch deferral.decide(operation, at: now) {
    case .run: answer = .idle
    case .wait(let time): answer = .busy(until: time)
    case .runAnyway(let operation):
      answer = .idle
      return (operation, deferral.limit)
    }
    return nil
  }

  /// Records that a run starts, so that the next one needs a new check.
  mutating func runBegan() { answer = .none }

  /// Records that no run is waiting any longer.
  mutating func cancelWait() {
    deferral.cancelWait()
    answer = .none
  }
}
