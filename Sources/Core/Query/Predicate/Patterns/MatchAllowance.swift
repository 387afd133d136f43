import Synchronization

/// The time limit per string for the `LIKE` and `MATCHES` of a predicate.
///
/// A pattern may come from a cloned file and take forever. Each string that takes too long halves
/// the time for the next ones, so that many of them do not add up to hours.
final class MatchAllowance: Sendable {
  private struct State {
    var time: Duration
    /// True after a string ran out of time, steps or memory.
    var isExceeded = false
    var isReported = false
  }

  private let shortest: Duration
  /// Lock: guards the time that `LIKE` and `MATCHES` have left.
  private let state: Mutex<State>

  init(time: Duration = .milliseconds(200), shortest: Duration = .microseconds(500)) {
    self.shortest = shortest
    state = Mutex(State(time: time))
  }

  /// The time for a match whose steps cannot be counted.
  var time: Duration { state.withLock(\.time) }

  /// Returns the number of steps that take about `time`. A linear number of steps is always
  /// allowed.
  func steps(for bytes: Int) -> Int {
    let nanoseconds = Int(time / .nanoseconds(1))
    return nanoseconds / MatchAllowance.nanosecondsPerStep + bytes * MatchAllowance.linearSteps
  }

  private static let nanosecondsPerStep = 2
  private static let linearSteps = 8

  /// Records that a match ran out of time, and halves the time of the next ones.
  func runOut() {
    state.withLock { state in
      state.time = max(state.time / 2, shortest)
      state.isExceeded = true
    }
  }

  /// Records that a match failed for another reason, such as its memory.
  func exceed() { state.withLock { $0.isExceeded = true } }

  /// Returns true once after a match exceeded its limits.
  func consumeExceeded() -> Bool {
    state.withLock { state in
      guard state.isExceeded, !state.isReported else { return false }
      state.isReported = true
      return true
    }
  }
}
