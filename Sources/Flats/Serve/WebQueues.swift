import Files
import Streams

/// The queues on which a server answers the requests for all of its folders.
///
/// Requests are divided by how long they take, so that quick ones never wait for slow ones.
package struct WebQueues: Sendable {
  /// Makes the lists that clients ask for. Nothing else waits for them.
  let lists: RequestQueue
  /// Makes the lists that pages will open.
  let pages: QueueExecutor
  let items: RequestQueue
  /// Reads and changes large items, so that requests for others do not wait.
  let largeItems: RequestQueue
  let history: RequestQueue
  /// Runs git for streams that continue after a token, one at a time.
  let resuming: BoundedQueue
  private let streams: [QueueExecutor]
  private let openings: [QueueExecutor]

  /// The number of queues of each kind for streams.
  private static let count = 4

  package init(_ options: WebOptions) {
    // Queue: makes lists and pages without script for HTTP clients, so that saves do not wait for
    // them.
    pages = QueueExecutor("lists of the web server")
    lists = RequestQueue(pages, limit: options.maxLists, work: "lists")
    // Queue: reads the files of items and waits for saves, for HTTP clients. Blocks in file calls.
    items = RequestQueue(QueueExecutor("items of the web server"), limit: options.maxItems, work: "items")
    largeItems = RequestQueue(
      // Queue: reads and saves large items, so that others do not wait. Blocks in file calls.
      QueueExecutor("large items of the web server"), limit: options.maxItems, work: "items")
    // Queue: runs git for HTTP clients, one request at a time. Blocks in `read`.
    history = RequestQueue(QueueExecutor("history of the web server"), limit: options.maxHistory, work: "git")
    // Queue: runs git for streams that continue after a token. Blocks in `read`.
    resuming = BoundedQueue(QueueExecutor("resume of a stream"), limit: options.maxResuming)
    // Queue: makes and sends the lines of some streams of server-sent events.
    streams = (0..<WebQueues.count).map { _ in QueueExecutor("streams") }
    // Queue: makes the lists that clients of streams ask for.
    openings = (0..<WebQueues.count).map { _ in QueueExecutor("lists of streams") }
  }

  /// Returns the queue of a stream, for work that takes as long as a change is large.
  func stream(_ number: UInt64) -> QueueExecutor { streams[Int(number % UInt64(streams.count))] }

  /// Returns the queue of a stream for work that takes as long as its list is large, so that the
  /// others do not wait for it.
  func opening(_ number: UInt64) -> QueueExecutor { openings[Int(number % UInt64(openings.count))] }
}
