package import Dispatch

/// Calls a closure once after a delay. An idle program must not use Swift's shared pool, and so not
/// `Task.sleep`.
package final class Alarm: Sendable {
  /// Queue: calls what waits for a time or a signal, one after the other. Nothing there waits for
  /// anything else.
  package static let queue = DispatchQueue(label: "alarms")
  private nonisolated(unsafe) let timer: any DispatchSourceTimer  // Any thread may use a dispatch source.

  /// Starts waiting. `delay` passes only while the machine is awake. `body` is called once, unless
  /// the alarm is cancelled or released before; it must not block: other alarms wait for it.
  package init(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    timer = DispatchSource.makeTimerSource(queue: Alarm.queue)
    timer.setEventHandler(handler: body)
    timer.schedule(deadline: .now() + max(0, delay / .seconds(1)))
    timer.activate()
  }

  deinit { timer.cancel() }

  package func cancel() { timer.cancel() }

  /// Waits, even if the task is cancelled.
  package static func wait(for delay: Duration) async {
    await withCheckedContinuation { continuation in
      queue.asyncAfter(deadline: .now() + max(0, delay / .seconds(1))) { continuation.resume() }
    }
  }
}
