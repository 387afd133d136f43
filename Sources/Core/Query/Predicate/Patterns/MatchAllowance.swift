import Synchronization

/// The time limit per string for the `LIKE` and `MATCHES` of a predicate.
///
/// A pattern may come from a cloned file and take forever. Each string that takes too long halves
/// the time for the next ones, so that many of them do not add up to hours.
final class MatchAllowance: Sendable {
  private let shortest: Int
  /// The time for the next match, in nanoseconds.
  private let nanoseconds: Atomic<Int>
  /// True after a string ran out of time, steps or memory.
  private let isExceeded = Atomic(false)
  private let isReported = Atomic(false)

  init(time: Duration = .milliseconds(200), shortest: Duration = .microseconds(500)) {
    self.shortest = Int(shortest / .nanoseconds(1))
    nanoseconds = Atomic(Int(time / .nanoseconds(1)))
  }

  /// The time for a match whose steps cannot be counted.
  var time: Duration { .nanoseconds(nanoseconds.load(ordering: .relaxed)) }

  /// The number of steps that take about `time`. A linear number of steps is always allowed.
  func steps(for bytes: Int) -> Int {
    nanoseconds.load(ordering: .relaxed) / MatchAllowance.nanosecondsPerStep
      + bytes * MatchAllowance.linearSteps
  }

  private static let nanosecondsPerStep = 2
  private static let linearSteps = 8

  /// Records that a match ran out of time, and halves the time of the next ones.
  func runOut() {
    let time = nanoseconds.load(ordering: .relaxed)
    // If another thread runs out meanwhile, the time is halved once for both.
    nanoseconds.store(max(time / 2, shortest), ordering: .relaxed)
    exceed()
  }

  /// Records that a match failed for another reason, such as its memory.
  func exceed() { isExceeded.store(true, ordering: .relaxed) }

  /// Returns true once after a match exceeded its limits.
  func consumeExceeded() -> Bool {
    isExceeded.load(ordering: .relaxed) && !isReported.exchange(true, ordering: .relaxed)
  }
}
