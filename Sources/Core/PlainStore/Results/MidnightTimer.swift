import Dispatch

/// Calls a closure after each midnight, until the closure returns false or the timer is released.
///
/// It follows the wall clock, even while the machine sleeps. `Task.sleep` would use the shared
/// pool, which then wakes up the program every second (see `QueueExecutor`).
final class MidnightTimer: Sendable {
  /// One queue for the timers of all lists: a thousand lists need no thousand threads at midnight.
  /// Queue: updates the lists with `@today` when a day begins, and releases the searched texts of
  /// lists 15 seconds after the last search.
  static let queue = DispatchQueue(label: "timers of lists")
  private nonisolated(unsafe) let timer: any DispatchSourceTimer  // Any thread may use a dispatch source.

  /// Starts waiting.
  ///
  /// - Parameters:
  ///   - wait: Returns the time from now until the next midnight.
  ///   - body: Called after each midnight. It returns false to stop the timer.
  init(wait: @escaping @Sendable () -> Duration, _ body: @escaping @Sendable () -> Bool) {
    let timer = DispatchSource.makeTimerSource(queue: MidnightTimer.queue)
    nonisolated(unsafe) let source = timer  // Any thread may use a dispatch source.
    // The source keeps its handler, and with it itself, until it is cancelled.
    timer.setEventHandler {
      guard body() else { return source.cancel() }
      MidnightTimer.schedule(source, after: wait())
    }
    MidnightTimer.schedule(timer, after: wait())
    self.timer = timer
    timer.activate()
  }

  deinit { timer.cancel() }

  private static func schedule(_ timer: any DispatchSourceTimer, after wait: Duration) {
    timer.schedule(wallDeadline: .now() + max(0, wait / .seconds(1)))
  }
}
