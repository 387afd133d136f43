import DirectoryWatch
package import PlainStore
import PlainText
import Synchronization

/// Counts the updates that a sink was given, and how long the last of them took.
package final class UpdateMeter: Sendable {
  private struct State {
    var updates = 0
    var latency: Duration?
  }

  private let state = Mutex(State())

  package init() {}

  /// Called when the update is out.
  package func note(_ event: ResultsEvent, at now: SuspendingClock.Instant = .now) {
    guard case .step(let update?, _) = event else { return }
    state.withLock { state in
      state.updates += 1
      if let since = update.since { state.latency = since.duration(to: now) }
    }
  }

  /// One JSON object on one line: what the program knows of itself. `latency` is in milliseconds, from the first event of the last update that events told of to its
  /// being out; null before the first.
  package func line(_ counters: StoreCounters) -> String {
    let own = state.withLock { $0 }
    let watch = counters.watch ?? WatchCounters()
    var fields = Fields()
    for (name, value) in [
      ("items", counters.items), ("problems", counters.problems), ("watches", watch.watches), ("overflows", watch.overflows),
      ("rescans", watch.rescans), ("audits", counters.audits), ("finds", counters.missedChanges), ("updates", own.updates),
    ] {
      fields[name] = .number(.integer(value))
    }
    fields["latency"] = own.latency.map { .number(.double($0.milliseconds)) } ?? .null
    fields["polling"] = .bool(watch.isPolling)
    return JSONWriter.text(of: .map(fields))
  }
}

extension Duration {
  /// To the microsecond.
  fileprivate var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1_000
  }
}
