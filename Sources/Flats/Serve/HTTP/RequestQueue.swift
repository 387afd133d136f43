import HTTPTypes
import Store
import Streams

/// Runs the requests of one kind on a queue of their own, and refuses them while too many wait.
///
/// A request that only reads is dropped if its client left while it waited. A change whose body
/// arrived is made in any case.
struct RequestQueue {
  private let queue: BoundedQueue
  private let work: String

  /// `limit` counts the requests that run or wait. `work` is what they wait for, such as `lists`.
  init(_ executor: QueueExecutor, limit: Int, work: String) {
    queue = BoundedQueue(executor, limit: limit)
    self.work = work
  }

  var count: Int { queue.count }

  /// Runs a part of the answer to a request, after the `store`, if any, has everything that was written
  /// before the request. 503 if too many requests wait, if the client left, or if the folder is missing or
  /// cannot be read.
  func run<Answer: Sendable>(
    _ request: ServerRequest, settling store: ItemStore? = nil,
    _ body: @escaping @Sendable () async throws(ProblemDocument) -> Answer
  ) async throws(ProblemDocument) -> Answer {
    let answer = try await queue.run { hasWaited async throws(ProblemDocument) -> Answer in
      if hasWaited { try request.checkClient() }
      if let store {
        await store.settled()
        if hasWaited { try request.checkClient() }
        if let problem = store.currentState.folderProblem { throw ProblemDocument(folder: problem) }
      }
      return try await body()
    }
    guard let answer else { throw .unavailable("Too many requests are waiting for \(work). Try again.") }
    return answer
  }
}

extension ServerRequest {
  /// Checks that the client of a request which only reads is still there.
  fileprivate func checkClient() throws(ProblemDocument) {
    guard [.get, .head].contains(head.method), body.isClientGone else { return }
    throw .unavailable(
      "The connection was closed while the request was waiting. Keep it open in both directions until "
        + "the answer.")
  }
}
