/// The hold of a change that failed, or of all changes after a run that failed for all of them: it
/// decides when they may be retried.
struct ScriptHold {
  enum Release: Equatable {
    /// Any change after the one with this number.
    case change(after: Int)
    case time(SuspendingClock.Instant)
    case continuation
  }

  private(set) var release: Release
  private var backoff: Backoff
  private var failures = 0

  init(_ backoff: Backoff) {
    self.backoff = backoff
    release = .continuation
  }

  mutating func fail(after change: Int, at now: SuspendingClock.Instant, _ options: CommandSettings)
    -> CommandReport.Reaction
  {
    switch options.onError {
    case .next, nil:
      release = .change(after: change)
      return .nextChange
    case .stop:
      release = .continuation
      return .stop
    case .retry:
      let reaction = retry(counting: true, at: now, options)
      // With --once the program ends, so there is nothing to continue.
      return options.runsOnce && release == .continuation ? .nextChange : reaction
    }
  }

  /// Records a failed attempt that is made again after a delay. One that was a success in part does not
  /// count as a failure, and only makes the delay grow.
  mutating func retry(counting counts: Bool, at now: SuspendingClock.Instant, _ options: CommandSettings)
    -> CommandReport.Reaction
  {
    if counts { failures += 1 }
    let delay = backoff.fail()
    guard failures < max(1, options.maxFailures ?? CommandSettings.defaultMaxFailures) else {
      release = .continuation
      return .parked(failures: failures)
    }
    release = .time(now + delay)
    return .retry(after: delay)
  }

  func isReleased(by change: Int, at now: SuspendingClock.Instant) -> Bool {
    switch release {
    case .change(let last): change > last
    case .time(let time): now >= time
    case .continuation: false
    }
  }

  var time: SuspendingClock.Instant? {
    if case .time(let time) = release { time } else { nil }
  }
}

/// The delays between attempts that keep failing: 1 second, doubled after each failure, at most
/// 5 minutes, each 10 % shorter or longer at random so that several programs do not retry at once.
package struct Backoff {
  private let first: Duration
  private let max: Duration
  /// The delay after the next failure, without its random part.
  private var next: Duration

  /// Makes the delays from the first to the longest one, which no random part makes longer.
  package init(first: Duration = .seconds(1), max: Duration = .seconds(300)) {
    self.first = first
    self.max = max
    next = min(first, max)
  }

  package mutating func fail(using generator: inout some RandomNumberGenerator) -> Duration {
    let delay = next * Double.random(in: 0.9...1.1, using: &generator)
    next = min(next * 2, max)
    return min(delay, max)
  }

  /// Counts a failure, and returns the delay before the next attempt.
  package mutating func fail() -> Duration {
    var generator = SystemRandomNumberGenerator()
    return fail(using: &generator)
  }

  package mutating func reset() { next = min(first, max) }
}
