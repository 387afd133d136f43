import Synchronization

/// A signal for one task. A signal that comes while the task does something else is not lost;
/// several count as one.
///
/// One lock guards the state. Nothing else is locked while it is held.
package final class Wakeup: Sendable {
  private enum State {
    /// No signal came, and the task does not wait.
    case idle
    /// A signal came, and the task does not know of it yet.
    case signalled
    /// The task waits.
    case awaited(CheckedContinuation<Void, Never>)
  }

  /// Lock: guards whether a client's task was signalled, or waits.
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
