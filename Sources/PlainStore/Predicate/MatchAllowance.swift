import Synchronization

/// What one text may cost the `LIKE` and `MATCHES` of a predicate, which share it.
///
/// A pattern may come from a cloned file and take for ever. Each text that runs out halves what the next ones get, so that many of them do not add up to hours.
final class MatchAllowance: Sendable {
  private struct State {
    var time: Duration
    /// True after a text ran out of time, steps or memory.
    var isExceeded = false
    var isReported = false
  }

  private let shortest: Duration
  private let state: Mutex<State>

  init(time: Duration = .milliseconds(200), shortest: Duration = .microseconds(500)) {
    self.shortest = shortest
    state = Mutex(State(time: time))
  }

  /// For a test of which only the time can be measured.
  var time: Duration { state.withLock(\.time) }

  /// For a test that counts its steps: as many as take about `time`. What is linear in the text is always allowed.
  func steps(for bytes: Int) -> Int {
    let nanoseconds = Int(time / .nanoseconds(1))
    return nanoseconds / MatchAllowance.nanosecondsPerStep + bytes * MatchAllowance.linearSteps
  }

  private static let nanosecondsPerStep = 2
  private static let linearSteps = 8

  func runOut() {
    state.withLock { state in
      state.time = max(state.time / 2, shortest)
      state.isExceeded = true
    }
  }

  /// Records that a text was given up for another reason than its time.
  func exceed() { state.withLock { $0.isExceeded = true } }

  /// Returns true once, after a text was given up.
  func takeExceeded() -> Bool {
    state.withLock { state in
      guard state.isExceeded, !state.isReported else { return false }
      state.isReported = true
      return true
    }
  }
}
