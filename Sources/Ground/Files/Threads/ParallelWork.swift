package import Dispatch
import Glibc
import Synchronization

package enum ParallelWork {
  /// The number of threads: more gain little, because the memory is the limit.
  package static let threads = max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  /// Splits the numbers below `count` into ranges, and returns what `body` makes of each, in order.
  /// The caller is one of the threads; if the count is small, it is the only one. A range of this size
  /// should take far longer than starting a thread (some 50 µs).
  package static func map<Result: Sendable>(
    _ count: Int, by size: Int, threads: Int = threads, _ body: @escaping @Sendable (Range<Int>) -> Result
  ) -> [Result] {
    let size = max(1, size)
    // One save after the other comes here with a single item.
    if (1...size).contains(count) { return [body(0..<count)] }
    let ranges = count / size + (count % size == 0 ? 0 : 1)
    // No thread waits for room: not for a range, and not to see that none is left.
    let work = OrderedWork(ranges, lookahead: ranges + threads) { number in
      body(number * size..<min(count, number * size + size))
    }
    let helpers = work.start(min(threads, ranges) - 1)
    work.run()
    helpers.wait()
    return (0..<ranges).map(work.result)
  }

  /// Computes results for 0, 1, 2 … on several threads, and passes them in order to `consume` on the
  /// caller's. Only a few wait to be consumed. A single one is computed on the caller's thread.
  package static func forEach<Result: Sendable, Failure: Error>(
    _ count: Int, _ body: @escaping @Sendable (Int) -> Result,
    _ consume: (Int, Result) throws(Failure) -> Void
  ) throws(Failure) {
    if count <= 1 || threads <= 1 {
      for number in 0..<max(0, count) { try consume(number, body(number)) }
      return
    }
    let work = OrderedWork(count, lookahead: 2 * threads, body)
    let helpers = work.start(min(threads - 1, count))
    defer {
      work.cancel()
      helpers.wait()
    }
    for number in 0..<count { try consume(number, work.result(number)) }
  }
}

extension DispatchGroup {
  package func start(_ threads: Int, _ body: @escaping @Sendable () -> Void) {
    for _ in 0..<max(0, threads) {
      // Separate queues, for the same reason as `QueueExecutor`.
      // Queue: does one part of a piece of work: helps the thread that waits for it, reads the files of
      // a first reading, or those that a running git command has completed, or writes what was read to
      // the cache. Blocks in what that does.
      DispatchQueue(label: "parallel work").async(group: self, execute: body)
    }
  }
}

/// Results that several threads compute, a few ahead of the one thread that consumes them in order.
private final class OrderedWork<Result: Sendable>: Sendable {
  private struct State {
    var next = 0
    var results: [Int: Result] = [:]
    var isCancelled = false
  }

  private let count: Int
  private let body: @Sendable (Int) -> Result
  /// Lock: guards the results that wait to be consumed, and which one is next.
  private let state = Mutex(State())
  /// Has a signal for each result that may be computed.
  private let room = DispatchSemaphore(value: 0)
  /// Has a signal for each result that was computed.
  private let progress = DispatchSemaphore(value: 0)

  /// At most `lookahead` results are computed before they are consumed.
  init(_ count: Int, lookahead: Int, _ body: @escaping @Sendable (Int) -> Result) {
    self.count = count
    self.body = body
    for _ in 0..<lookahead { room.signal() }
  }

  func start(_ threads: Int) -> DispatchGroup {
    let group = DispatchGroup()
    group.start(threads) { self.run() }
    return group
  }

  func run() {
    while let number = nextNumber() {
      let result = body(number)
      state.withLock { $0.results[number] = result }
      progress.signal()
    }
    // The other threads don't need to wait any longer, either.
    room.signal()
  }

  func result(_ number: Int) -> Result {
    while true {
      if let result = state.withLock({ $0.results.removeValue(forKey: number) }) {
        room.signal()
        return result
      }
      progress.wait()
    }
  }

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
