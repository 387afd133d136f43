import Dispatch
import Glibc
import Synchronization

/// Pure work that several threads share.
///
/// The lock guards the results until all threads are done; nothing else is locked under it.
package enum ParallelWork {
  /// The number of threads: more gain little, because the memory is the limit.
  package static let threads = max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  /// Splits the numbers below `count` into ranges, and returns what `body` makes of each, in order.
  /// The caller is one of the threads; if the count is small, it is the only one.
  ///
  /// - Parameter size: The size of a range. Choose one that takes far longer than starting a thread
  ///   (some 50 µs).
  package static func map<Result: Sendable>(
    _ count: Int, by size: Int, _ body: @escaping @Sendable (Range<Int>) -> Result
  ) -> [Result] {
    let work = Work(count: count, size: max(1, size), body)
    let group = DispatchGroup()
    // Separate queues, for the same reason as `QueueExecutor`.
    for _ in 1..<max(1, min(threads, work.ranges)) {
      // Queue: helps the thread that waits with one part of a piece of work. Blocks in what that
      // does.
      DispatchQueue(label: "parallel work").async(group: group) { work.run() }
    }
    work.run()
    group.wait()
    return work.results
  }

  private final class Work<Result: Sendable>: Sendable {
    private let count: Int
    private let size: Int
    private let body: @Sendable (Range<Int>) -> Result
    private let next = Atomic(0)
    /// Lock: guards the results of the parts that are done.
    private let done = Mutex<[(range: Int, result: Result)]>([])

    init(count: Int, size: Int, _ body: @escaping @Sendable (Range<Int>) -> Result) {
      self.count = count
      self.size = size
      self.body = body
    }

    var ranges: Int { count / size + (count % size == 0 ? 0 : 1) }

    func run() {
      while case let range = next.wrappingAdd(1, ordering: .relaxed).oldValue, range < ranges {
        let start = range * size
        let result = body(start..<min(count, start + size))
        done.withLock { $0.append((range, result)) }
      }
    }

    /// The results in the order of their ranges; complete once all threads are done.
    var results: [Result] { done.withLock { $0.sorted { $0.range < $1.range }.map(\.result) } }
  }
}
