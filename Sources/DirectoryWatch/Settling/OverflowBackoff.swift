/// When to look at everything again after the kernel's queue ran over. Pure.
///
/// One rescan answers any number of overflows, so it waits for a quiet gap, at most `maxWait`; while overflows go on, each rescan keeps twice the
/// distance of the one before, up to `maxWait`, so that rescans never become the load that causes the next overflow.
struct OverflowBackoff {
  typealias Instant = SuspendingClock.Instant

  private let settle: Duration
  private let maxWait: Duration
  private var since: Instant?
  private var distance: Duration
  private var lastRescan: Instant?

  init(timing: SettleTiming) {
    settle = timing.settle
    maxWait = timing.maxWait
    distance = timing.settle
  }

  mutating func overflowed(at now: Instant) {
    if since != nil { return }
    since = now
    if let lastRescan, now < lastRescan + distance * 4 {
      distance = min(distance * 2, maxWait)
    } else {
      distance = settle
    }
  }

  var isPending: Bool { since != nil }

  /// When the rescan is due, if the last event of any kind came at `lastEvent`.
  func deadline(lastEvent: Instant) -> Instant? {
    guard let since else { return nil }
    let quiet = min(max(lastEvent, since) + settle, since + maxWait)
    return lastRescan.map { max(quiet, $0 + distance) } ?? quiet
  }

  mutating func rescanned(at now: Instant) {
    since = nil
    lastRescan = now
  }
}
