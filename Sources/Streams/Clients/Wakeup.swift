package import Store

/// A signal for one task. A signal that comes while the task does something else is not lost;
/// several count as one.
package struct Wakeup: Sendable {
  private let signals: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  package init() { (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Wakes the task, now or at its next `wait()`.
  package func signal() { continuation.yield() }

  /// Waits for a signal, or until the task is cancelled. Only one task may call it.
  package func wait() async { for await _ in signals { return } }
}

/// Wakes the task of a client when its list has a step.
package struct StepObserver: Sendable {
  private let consumed = Wakeup()
  private let task: Task<Void, Never>

  /// Observes a list: signals the client once at a step, and again after `observeNext()`.
  package init(_ subscription: ListSubscription, on executor: QueueExecutor, waking wakeup: Wakeup) {
    task = Task(executorPreference: executor) { [consumed] in
      while await subscription.hasStep() {
        wakeup.signal()
        await consumed.wait()
      }
    }
  }

  /// Continues to observe, after the task has consumed what there was.
  package func observeNext() { consumed.signal() }

  package func finish() { task.cancel() }
}
