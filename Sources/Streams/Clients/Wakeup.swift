import Files
package import Store
import Synchronization

/// A signal for one task. A signal that comes while the task does something else is not lost;
/// several count as one.
package final class Wakeup: Sendable {
  private enum State {
    /// No signal came, and the task does not wait.
    case idle
    /// A signal came, and the task does not know of it yet.
    case signalled
    /// The task waits.
    case awaited(CheckedContinuation<Void, Never>)
  }

  /// Lock: guards whether a client's task was signalled, or waits. Nothing is locked under it.
  private let state = Mutex(State.idle)

  package init() {}

  /// Wakes the task, now or at its next `wait()`.
  package func signal() {
    let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard case .awaited(let waiter) = state else {
        state = .signalled
        return nil
      }
      state = .idle
      return waiter
    }
    waiter?.resume()
  }

  /// Waits for a signal. Only one task may call it.
  package func wait() async {
    await withCheckedContinuation { continuation in
      let isSignalled = state.withLock { state in
        guard case .signalled = state else {
          state = .awaited(continuation)
          return false
        }
        state = .idle
        return true
      }
      if isSignalled { continuation.resume() }
    }
  }
}

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
