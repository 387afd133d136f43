import Dispatch
import Synchronization
import Terminal

/// Wakes the thread that waits for the list: first without a terminal, then at the terminal.
///
/// One lock guards what wakes it. Nothing else is locked while it is held.
final class BrowseWakeup: Sendable {
  private let waker = Mutex<(@Sendable () -> Void)?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  /// Wakes the thread.
  func signal() {
    if let wake = waker.withLock({ $0 }) { wake() } else { semaphore.signal() }
  }

  /// Waits for a signal.
  ///
  /// - Parameter deadline: When to return false; nil to wait without end.
  func wait(until deadline: ContinuousClock.Instant?) -> Bool {
    guard let deadline else {
      semaphore.wait()
      return true
    }
    let left = max(0, (deadline - .now) / .seconds(1))
    return semaphore.wait(timeout: .now() + left) == .success
  }

  /// Sends the signals from now on to a closure, and one for those before.
  func connect(_ new: @escaping @Sendable () -> Void) {
    waker.withLock { $0 = new }
    new()
  }
}
