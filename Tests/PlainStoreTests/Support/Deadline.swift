import Query
@testable import Store
import Synchronization
import TestSupport

@testable import Files

/// The error of a body that did not end in time.
struct DeadlineError: Error {}

/// Runs `body` on a separate queue, so that a deadlock in it fails the test instead of hanging it.
@discardableResult func withDeadline<Result: Sendable>(
  _ limit: Duration = .seconds(30 * Patience.factor), _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  let outcome = DeadlineOutcome<Result>()
  Task(executorPreference: QueueExecutor("deadline")) {
    do {
      let result = try await body()
      outcome.value.withLock { $0 = .success(result) }
    } catch {
      outcome.value.withLock { $0 = .failure(error) }
    }
  }
  let end = ContinuousClock.now + limit
  while ContinuousClock.now < end {
    if let result = outcome.value.withLock({ $0 }) { return try result.get() }
    try await Task.sleep(for: .milliseconds(5))
  }
  throw DeadlineError()
}

/// Waits for a condition that nothing announces, such as the end of an object; at most 30 seconds.
func waitUntil(isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(30 * Patience.factor)
  while !condition(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
}

private final class DeadlineOutcome<Value: Sendable>: Sendable {
  let value = Mutex<Result<Value, any Error>?>(nil)
}
