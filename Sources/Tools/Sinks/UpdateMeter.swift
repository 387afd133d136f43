package import Store
import Synchronization
package import Values
import Watch

/// Counts the updates that were written, and keeps the latency of the last one.
package final class UpdateMeter: Sendable {
  private struct State {
    var updates = 0
    var latency: Duration?
  }

  /// Lock: guards the counters.
  private let state = Mutex(State())

  /// Starts with no updates.
  package init() {}

  /// Records an event. Call it after the event was written.
  ///
  /// - Parameters:
  ///   - event: The event. Only updates are counted.
  ///   - now: The time at which it was written.
  package func record(_ event: ResultsEvent, at now: SuspendingClock.Instant = .now) {
    guard case .step(let update?, _) = event else { return }
    state.withLock { state in
      state.updates += 1
      if let since = update.since { state.latency = since.duration(to: now) }
    }
  }

  /// Returns the counters as one JSON object on one line.
  ///
  /// `latency` is in milliseconds, from the first file event of the last update until it was
  /// written. It is null before the first update that file events caused.
  package func line(_ counters: StoreCounters) -> String { JSONWriter.text(of: .map(fields(counters))) }

  /// Returns the counters as the fields of that object.
  package func fields(_ counters: StoreCounters) -> Fields {
    let own = state.withLock { $0 }
    let watch = counters.watch ?? WatchCounters()
    var fields = Fields()
    for (name, value) in [
      ("items", counters.items), ("problems", counters.problems), ("watches", watch.watches),
      ("overflows", watch.overflows),
      ("rescans", watch.rescans), ("audits", counters.audits), ("finds", counters.missedChanges),
      ("updates", own.updates),
      ("hits", counters.cacheHits), ("misses", counters.cacheMisses),
    ] {
      fields[name] = .number(.integer(value))
    }
    fields["latency"] = own.latency.map { .number(.double($0.milliseconds)) } ?? .null
    fields["polling"] = .bool(watch.isPolling)
    return fields
  }
}

extension Duration {
  /// The duration in milliseconds, with a resolution of a microsecond.
  fileprivate var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1_000
  }
}
