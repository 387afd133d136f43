package import Store
import Synchronization

/// A queue that refuses work while too much runs or waits on it.
///
/// An atomic counter counts the work. Work that throws, or that its caller cancels, gives its place
/// back like any other.
package final class BoundedQueue: Sendable {
  private let executor: QueueExecutor
  private let limit: Int
  private let places = Atomic(0)

  package init(_ executor: QueueExecutor, limit: Int) {
    self.executor = executor
    self.limit = limit
  }

  package var count: Int { places.load(ordering: .relaxed) }

  /// Runs work on the queue. Returns nil at once if too much runs or waits. The argument of the work is
  /// true if there was other work when this was added.
  package func run<Answer: Sendable, Failure: Error>(
    _ body: @escaping @Sendable (Bool) async throws(Failure) -> Answer
  ) async throws(Failure) -> Answer? {
    defer { places.wrappingSubtract(1, ordering: .relaxed) }
    let earlier = places.wrappingAdd(1, ordering: .relaxed).oldValue
    guard earlier < limit else { return nil }
    return try await withTaskExecutorPreference(executor) { () async throws(Failure) -> Answer in
      try await body(earlier > 0)
    }
  }
}
