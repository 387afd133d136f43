import Files
package import Store

/// Wakes the task of a client when its list has a step.
package struct StepObserver: Sendable {
  /// Signalled when the task has consumed the step, or all steps that there are.
  private let consumed = Wakeup()
  private let task: Task<Void, Never>

  /// Starts to observe a list.
  ///
  /// - Parameters:
  ///   - subscription: The subscription of the client.
  ///   - executor: The queue of the client.
  ///   - wakeup: Signalled once for each step, until `observeNext()` is called.
  package init(_ subscription: ResultsSubscription, on executor: QueueExecutor, waking wakeup: Wakeup) {
    task = Task(executorPreference: executor) { [consumed] in
      while await subscription.hasStep() {
        wakeup.signal()
        await consumed.wait()
      }
    }
  }

  /// Continues to observe, after the task has consumed what there was.
  package func observeNext() { consumed.signal() }

  /// Stops observing.
  package func finish() {
    task.cancel()
    consumed.signal()
  }
}
