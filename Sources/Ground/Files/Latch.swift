import Synchronization

/// A condition that becomes true once, and that one task can wait for. It may become true before
/// the task waits.
///
/// One lock guards everything; the waiting task is resumed after it is released.
package final class Latch: Sendable {
  private enum State {
    case closed(CheckedContinuation<Void, Never>?)
    case open
  }

  /// Lock: guards whether the latch is open, and who waits for it.
  private let state = Mutex(State.closed(nil))

  package init() {}

  /// Opens the latch permanently. Opening it again has no effect.
  package func open() {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .open }
      return if case .closed(let waiting) = state { waiting } else { nil }
    }
    waiting?.resume()
  }

  /// Waits until the latch is open, or until the task is cancelled. Call it once.
  package func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOpen = state.withLock { state in
          if case .open = state { return true }
          state = .closed(continuation)
          return false
        }
        if isOpen { continuation.resume() }
      }
    } onCancel: {
      open()
    }
  }
}
