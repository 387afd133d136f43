import Watch

/// The git checks before a run or a line may begin, and the wait while an operation of several
/// steps is in progress.
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

  static let interval = Duration.milliseconds(250)

  private let limit: Duration
  private var began: SuspendingClock.Instant?
  /// True once the limit was exceeded, until the operation ends.
  private var isExceeded = false
  /// The answer of the last check that no run has used.
  private var answer = Answer.none

  init(limit: Duration) {
    self.limit = limit
  }

  /// The time of the next check while a run waits; nil if none waits.
  var nextTime: SuspendingClock.Instant? {
    if case .busy(let time) = answer { time } else { nil }
  }

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
  /// - Returns: The operation and the limit if the wait was too long, and runs begin anyway; once per
  ///   operation.
  mutating func record(_ operation: GitOperation?, at now: SuspendingClock.Instant) -> (
    operation: GitOperation, limit: Duration
  )? {
    guard answer == .asked else { return nil }
    guard let operation else {
      isExceeded = false
      began = nil
      answer = .idle
      return nil
    }
    if isExceeded {
      answer = .idle
      return nil
    }
    let end = (began ?? now) + limit
    if now < end {
      began = began ?? now
      answer = .busy(until: min(now + GitCheck.interval, end))
      return nil
    }
    isExceeded = true
    began = nil
    answer = .idle
    return (operation, limit)
  }

  /// Records that a run starts, so that the next one needs a new check.
  mutating func runBegan() { answer = .none }

  mutating func cancelWait() {
    began = nil
    answer = .none
  }
}
