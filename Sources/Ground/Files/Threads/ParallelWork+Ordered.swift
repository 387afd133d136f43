import Dispatch
import Synchronization

extension ParallelWork {
  /// Computes results for 0, 1, 2 … and passes them to `consume` in this order, while the next ones
  /// are computed. Only a few results wait to be consumed.
  ///
  /// - Parameters:
  ///   - count: The number of results. A single one is computed on the caller's thread.
  ///   - body: Computes one result. It runs on several threads.
  ///   - consume: Receives the number of a result and the result. It runs on the caller's thread.
  package static func forEach<Result: Sendable, Failure: Error>(
    _ count: Int, _ body: @escaping @Sendable (Int) -> Result,
    _ consume: (Int, Result) throws(Failure) -> Void
  ) throws(Failure) {
    if count <= 1 || threads <= 1 {
      for number in 0..<max(0, count) { try consume(number, body(number)) }
      return
    }
    let work = OrderedWork<Result>(count, lookahead: 2 * threads)
    let group = DispatchGroup()
    defer {
      work.cancel()
      group.wait()
    }
    for _ in 1..<min(threads, count + 1) {
      // Queue: helps the thread that waits with one part of a piece of work. Blocks in what that
      // does.
      DispatchQueue(label: "parallel work").async(group: group) { work.run(body) }
    }
    for number in 0..<count { try consume(number, work.result(number)) }
  }
}

/// Results that several threads compute and one thread consumes in order.
///
/// One lock guards the state. A thread that computes waits while too many results wait to be
/// consumed.
private final class OrderedWork<Result: Sendable>: Sendable {
  private struct State {
    /// The number of the result to compute next.
    var next = 0
    /// The results that wait to be consumed.
    var results: [Int: Result] = [:]
    var isCancelled = false
  }

  private let count: Int
  /// Lock: guards the results that wait to be consumed, and which one is next.
  private let state = Mutex(State())
  /// Has a signal for each result that may be computed.
  private let room = DispatchSemaphore(value: 0)
  /// Has a signal for each result that was computed.
  private let progress = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - count: The number of results.
  ///   - lookahead: The maximum number of results that are computed before they are consumed.
  init(_ count: Int, lookahead: Int) {
    self.count = count
    for _ in 0..<lookahead { room.signal() }
  }

  /// Computes results until none is left.
  func run(_ body: @Sendable (Int) -> Result) {
    while let number = nextNumber() {
      let result = body(number)
      state.withLock { $0.results[number] = result }
      progress.signal()
    }
    // The other threads don't need to wait any longer, either.
    room.signal()
  }

  /// Waits for a result and removes it.
  func result(_ number: Int) -> Result {
    while true {
      if let result = state.withLock({ $0.results.removeValue(forKey: number) }) {
        room.signal()
        return result
      }
      progress.wait()
    }
  }

  /// Ends the computation early.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    room.signal()
  }

  private func nextNumber() -> Int? {
    room.wait()
    return state.withLock { state in
      if state.isCancelled || state.next >= count { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }
}
