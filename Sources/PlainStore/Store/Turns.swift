import Synchronization

/// Lets tasks do something one at a time, in the order in which they came. Unlike a mutex it may be held across an `await`.
///
/// ```swift
/// await turns.take()
/// defer { turns.give() }
/// ```
final class Turns: Sendable {
  private struct State {
    var isTaken = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Waits for one's turn, cancelled or not: who has a turn gives it back soon.
  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isTaken {
          state.waiters.append(continuation)
          return false
        }
        state.isTaken = true
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  /// The next one's turn.
  func give() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiters.isEmpty {
        state.isTaken = false
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.resume()
  }
}
