import Synchronization

/// A state with the tasks that wait until it is ready.
///
/// One lock guards the state. Nothing else is locked while it is held.
final class AwaitableState<State: Sendable>: Sendable {
  private struct Contents {
    var state: State
    /// The tasks that wait; more than one if tasks share a subscription.
    var waiters: [CheckedContinuation<Void, Never>] = []

    mutating func removeWaiters() -> [CheckedContinuation<Void, Never>] { exchange(&waiters, with: []) }
  }

  /// Lock: guards what a reader was given, and what changed since.
  private let contents: Mutex<Contents>
  private let isReady: @Sendable (State) -> Bool?

  /// - Parameter isReady: True if a waiting task can continue, false if nothing more will come, nil to wait.
  init(_ state: State, isReady: @escaping @Sendable (State) -> Bool?) {
    contents = Mutex(Contents(state: state))
    self.isReady = isReady
  }

  /// Reads or changes the state. Wakes every waiting task if the state is then ready or over.
  func withLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, waiters) = contents.withLock { contents in
      let result = body(&contents.state)
      return (result, isReady(contents.state) == nil ? [] : contents.removeWaiters())
    }
    for waiter in waiters { waiter.resume() }
    return result
  }

  /// Waits until the state is ready. Returns false when it is over or the task is cancelled.
  func wait() async -> Bool {
    while !Task.isCancelled {
      if let isReady = withLock({ isReady($0) }) { return isReady }
      await waitForChange()
    }
    return false
  }

  private func waitForChange() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isLate = contents.withLock { contents in
          if isReady(contents.state) != nil || Task.isCancelled { return true }
          contents.waiters.append(continuation)
          return false
        }
        if isLate { continuation.resume() }
      }
    } onCancel: {
      // Each task that wakes up checks whether it is the cancelled one.
      for waiter in contents.withLock({ $0.removeWaiters() }) { waiter.resume() }
    }
  }
}
