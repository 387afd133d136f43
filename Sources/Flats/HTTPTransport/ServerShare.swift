import Files
import Serve
import Store

/// The state that all connections of a server share.
struct ServerShare: Sendable {
  /// Answers the requests.
  let responder: any Responder
  /// The limits.
  let options: WebOptions
  /// Counts the bytes that the system takes.
  let metrics: WebMetrics
  private let queues: [QueueExecutor]

  /// The number of queues of requests.
  private static let queueCount = 4

  /// Makes what the connections share.
  init(_ responder: any Responder, _ options: WebOptions, _ metrics: WebMetrics) {
    self.responder = responder
    self.options = options
    self.metrics = metrics
    // Queue: makes the answers of some requests, and their pieces when the client has room for
    // them. Blocks in file calls.
    queues = (0..<ServerShare.queueCount).map { _ in QueueExecutor("web clients") }
  }

  /// Returns the queue for the requests of a connection.
  func queue(of connection: Int) -> QueueExecutor { queues[connection % queues.count] }
}
