import Watch

/// The git checks before a run or a line may begin, and the wait while an operation of several
/// steps is in progress.
struct GitCheck {
  private enum Answer: Equatable {
    case none, asked, idle
    case busy(until: SuspendingClock.Instant)
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

  /// Returns true if a run or a line may begin; false while a git operation or its check is in progress.
  ///
  /// - Parameter ask: Called if a check is needed, whose result is to be recorded.
  mutating func mayBegin(at now: SuspendingClock.Instant, ask: () -> Void) -> Bool {
    switch answer {
    case .idle: return true
    case .asked: break
    case .busy(let time) where now < time: break
    case .none, .busy:
      answer = .asked
      ask()
    }
    return false
  }

  /// Records the operation that a check found; nil for none. Returns it with the limit, once per
  /// operation, if the wait was too long and runs begin anyway.
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
