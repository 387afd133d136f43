import Files
import Streams

/// The queues on which a server answers the requests for all of its folders.
///
/// Requests are divided by how long they take, so that quick ones never wait for slow ones.
package struct WebQueues {
  /// Nothing else waits for the lists that clients ask for.
  let lists: RequestQueue
  /// Makes the lists that pages will open.
  let pages: QueueExecutor
  let items: RequestQueue
  let largeItems: RequestQueue
  let history: RequestQueue
  let resuming: BoundedQueue
  private let openings: [QueueExecutor]

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
    // Queue: runs git for HTTP clients, so that nobody else waits for it. Blocks in `read`.
    history = RequestQueue(QueueExecutor("history of the web server"), limit: options.maxHistory, work: "git")
    // Queue: runs git for streams that continue after a token: a page that reconnects doesn't wait for
    // the history. Blocks in `read`.
    resuming = BoundedQueue(QueueExecutor("resume of a stream"), limit: options.maxResuming)
    // Queue: makes the lists that clients of streams ask for, so that the other streams do not wait.
    openings = (0..<4).map { _ in QueueExecutor("lists of streams") }
  }

  /// Returns the queue of a stream for work that takes as long as its list is large.
  func opening(_ number: UInt64) -> QueueExecutor { openings[Int(number % UInt64(openings.count))] }
}
