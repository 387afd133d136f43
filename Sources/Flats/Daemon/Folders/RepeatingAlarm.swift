import Dispatch

/// Calls a closure regularly, on its own queue.
final class RepeatingAlarm: Sendable {
  private nonisolated(unsafe) let timer: any DispatchSourceTimer  // Any thread may use a dispatch source.

  /// Starts the calls, the first one at once.
  init(every interval: Duration, _ body: @escaping @Sendable () -> Void) {
    // Queue: asks the daemon's loop regularly for a sign of life, if the service manager wants it.
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "watchdog"))
    timer.setEventHandler(handler: body)
    let seconds = max(0.001, interval / .seconds(1))
    timer.schedule(
      deadline: .now(), repeating: seconds, leeway: .milliseconds(Int(min(1_000, seconds * 100))))
    timer.activate()
  }

  deinit { timer.cancel() }

  /// Ends the calls.
  func cancel() { timer.cancel() }
}
