/// The decision when to rescan after the kernel's queue overflowed. Pure.
///
/// One rescan answers any number of overflows, so it waits for a quiet gap, at most `maxWait`.
/// While overflows continue, each rescan keeps twice the distance of the one before it, up to
/// `maxWait`: a rescan must not become the load that causes the next overflow.
struct OverflowBackoff {
  typealias Instant = SuspendingClock.Instant

  private let settle: Duration
  private let maxWait: Duration
  private var since: Instant?
  private var distance: Retry
  private var lastRescan: Instant?

  init(timing: SettleTiming) {
    settle = timing.settle
    maxWait = timing.maxWait
    distance = Retry(first: timing.settle, last: timing.maxWait)
  }

  mutating func overflowed(at now: Instant) {
    if since != nil { return }
    since = now
    let isInSeries = lastRescan.map { now < $0 + distance.current * 4 } ?? false
    if !isInSeries { distance.reset() }
    _ = distance.next()
  }

  var isPending: Bool { since != nil }

  func isPending(since time: Instant) -> Bool { since.map { $0 <= time } ?? false }

  /// The time of the rescan if the last event of any kind was at `lastEvent`; `nil` if none is pending.
  func deadline(lastEvent: Instant) -> Instant? {
    guard let since else { return nil }
    let quiet = min(max(lastEvent, since) + settle, since + maxWait)
    return lastRescan.map { max(quiet, $0 + distance.current) } ?? quiet
  }

  mutating func rescanned(at now: Instant) {
    since = nil
    lastRescan = now
  }
}
