import Files

/// The callers that wait until every change that was made before their call has been delivered.
/// Pure: its inputs are positions in the source and times.
///
/// A barrier goes through two phases. First the source reads everything that was queued when the
/// barrier was set. Then the changes that are pending at that moment settle. Both phases are
/// bounded by the limits of the settler; `limit` is a second bound, so that no caller ever hangs.
struct WatchBarriers {
  typealias Instant = SuspendingClock.Instant

  private struct Barrier {
    let latch: Latch
    let position: Int
    let end: Instant
    var readAt: Instant?
  }

  private let limit: Duration
  private var barriers: [Barrier] = []

  init(limit: Duration) {
    self.limit = limit
  }

  var needsRead: Bool { barriers.contains { $0.readAt == nil } }

  var deadline: Instant? { barriers.lazy.map(\.end).min() }

  mutating func add(_ latch: Latch, at position: Int, now: Instant) {
    barriers.append(Barrier(latch: latch, position: position, end: now + limit))
  }

  /// `position` is nil if nothing is left to read.
  mutating func recordRead(to position: Int?, at now: Instant) {
    for index in barriers.indices
    where barriers[index].readAt == nil && (position ?? .max) >= barriers[index].position {
      barriers[index].readAt = now
    }
  }

  /// Removes and returns the latches of the barriers that are passed or have expired.
  mutating func removePassed(at now: Instant, isPending: (Instant) -> Bool) -> [Latch] {
    if barriers.isEmpty { return [] }
    let middle = barriers.partition { $0.end <= now || $0.readAt.map { !isPending($0) } ?? false }
    defer { barriers.removeSubrange(middle...) }
    return barriers[middle...].map(\.latch)
  }

  mutating func removeAll() -> [Latch] { exchange(&barriers, with: []).map(\.latch) }
}
