import Synchronization

/// A state that tasks can wait for.
protocol ReadinessReporting: Sendable {
  /// True if a task that waits can continue.
  var isReady: Bool { get }
  /// True if nothing more will come.
  var isOver: Bool { get }
}

/// A state with the tasks that wait until it is ready.
///
/// One lock guards the state. Nothing else is locked while it is held.
final class AwaitableState<State: ReadinessReporting>: Sendable {
  private struct Contents {
    var state: State
    /// The tasks that wait; more than one if tasks share a subscription.
    var waiters: [CheckedContinuation<Void, Never>] = []

    mutating func removeWaiters() -> [CheckedContinuation<Void, Never>] { exchange(&waiters, with: []) }
  }

  /// Lock: guards what a reader was given, and what changed since.
  private let contents: Mutex<Contents>

  init(_ state: State) {
    contents = Mutex(Contents(state: state))
  }

  /// Reads or changes the state. Wakes every waiting task if the state is then ready or over.
  func withLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, waiters) = contents.withLock { contents in
      let result = body(&contents.state)
      return (result, contents.state.isReady || contents.state.isOver ? contents.removeWaiters() : [])
    }
    for waiter in waiters { waiter.resume() }
    return result
  }

  /// Waits until the state is ready. Returns false when it is over or the task is cancelled.
  func wait() async -> Bool {
    while !Task.isCancelled {
      let (isReady, isOver) = withLock { ($0.isReady, $0.isOver) }
      if isReady || isOver { return isReady }
      await waitForChange()
    }
    return false
  }

  private func waitForChange() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isLate = contents.withLock { contents in
          if contents.state.isReady || contents.state.isOver || Task.isCancelled { return true }
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
