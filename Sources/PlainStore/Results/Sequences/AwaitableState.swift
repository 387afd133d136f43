import Synchronization

/// A state that tasks wait for.
protocol ReadinessReporting: Sendable {
  /// True if there is something for a task that waits.
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
  }

  private let contents: Mutex<Contents>

  init(_ state: State) {
    contents = Mutex(Contents(state: state))
  }

  /// Reads or changes the state, without waking the tasks that wait.
  func withLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result { contents.withLock { body(&$0.state) } }

  /// Changes the state and wakes every task that waits, so that it checks the state again.
  func wake<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
    let (result, waiters) = contents.withLock { contents in
      let result = change(&contents.state)
      defer { contents.waiters = [] }
      return (result, contents.waiters)
    }
    for waiter in waiters { waiter.resume() }
    return result
  }

  /// Waits until the state is ready, and leaves it as it is. False when it is over or the task is
  /// cancelled.
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
      wake { _ in }
    }
  }
}
