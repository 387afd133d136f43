import Synchronization

/// A value that other threads change, and whose changes a task can await.
final class ObservableValue<Value: Sendable>: Sendable {
  private struct State {
    var value: Value
    var version = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ value: Value) {
    state = Mutex(State(value: value))
  }

  var value: Value { current.value }

  var current: (value: Value, version: Int) { state.withLock { ($0.value, $0.version) } }

  /// Changes the value and resumes all waiting tasks.
  func update(_ body: (inout Value) -> Void) {
    let waiters = state.withLock { state in
      var value = state.value
      body(&value)
      state.value = value
      state.version += 1
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until there is a newer version than the given one.
  func change(after version: Int) async {
    await withCheckedContinuation { continuation in
      let isLate = state.withLock { state in
        if state.version == version { state.waiters.append(continuation) }
        return state.version != version
      }
      if isLate { continuation.resume() }
    }
  }
}
