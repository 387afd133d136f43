package import Store
import Synchronization

/// Counts the updates that were written, and keeps the latency of the last one.
package final class UpdateMeter: Sendable {
  private let updates = Atomic(0)
  /// The latency of the last update in microseconds; negative before the first one.
  private let latency = Atomic<Int64>(-1)

  package init() {}

  /// Records an event. Call it after the event was written.
  package func record(_ event: ListEvent, at now: SuspendingClock.Instant = .now) {
    guard case .step(let update?, _) = event else { return }
    updates.wrappingAdd(1, ordering: .relaxed)
    if let since = update.since {
      latency.store(since.duration(to: now).microseconds, ordering: .relaxed)
    }
  }

  /// Returns the counters as one JSON object on one line.
  ///
  /// `latency` is in milliseconds, from the first file event of the last update until it was
  /// written. It is null before the first update that file events caused.
  package func line(_ counters: StoreCounters) -> String { JSONWriter.text(of: .map(fields(counters))) }

  package func fields(_ counters: StoreCounters) -> Fields {
    let latency = latency.load(ordering: .relaxed)
    let watch = counters.watch ?? WatchCounters()
    var fields = Fields()
    for (name, value) in [
      ("items", counters.items), ("problems", counters.problems), ("watches", watch.watches),
      ("overflows", watch.overflows),
      ("rescans", watch.rescans), ("audits", counters.audits), ("finds", counters.missedChanges),
      ("updates", updates.load(ordering: .relaxed)),
      ("hits", counters.cacheHits), ("misses", counters.cacheMisses),
    ] {
      fields[name] = .integer(value)
    }
    fields["latency"] = latency < 0 ? .null : .number(.double(Double(latency) / 1_000))
    fields["polling"] = .bool(watch.isPolling)
    return fields
  }
}

extension Duration {
  fileprivate var microseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }
}
