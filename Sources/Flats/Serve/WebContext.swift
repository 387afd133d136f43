package import Store

/// Everything that the routes of one server share: the folder, its store, and the limits.
package final class WebContext: Sendable {
  /// The absolute path of the folder, without symbolic links.
  package let path: String
  /// The folder as its user typed it, which streams and messages name.
  package let name: String
  package let store: ItemStore
  /// The fields that make an item's id, if the folder was opened with some. Tokens have them.
  let idField: String?
  /// The largest size of a file, if the folder was opened with one. Tokens have it.
  let maxSize: Int?
  /// The view of the command line, on which the views of clients are based.
  package let base: ViewParameters
  package let options: WebOptions
  /// Names the page of the server, see `PageAsset.edition`.
  let page: String
  package let streams: WebStreams
  let queues: WebQueues
  package let metrics: WebMetrics

  /// The queue for a request about an item, new if `id` is nil. `isLarge`: it sends, or takes back, much.
  func items(for id: Item.ID?, isLarge: Bool = false) -> RequestQueue {
    isLarge || id.flatMap { store.item($0) }?.isLarge ?? false ? queues.largeItems : queues.items
  }

  /// - Parameter queues: The queues of a server of several folders; nil for queues of its own.
  package init(
    path: String, name: String, store: ItemStore, idField: String? = nil, maxSize: Int? = nil,
    base: ViewParameters = ViewParameters(), options: WebOptions = WebOptions(), queues: WebQueues? = nil,
    metrics: WebMetrics = WebMetrics()
  ) {
    self.queues = queues ?? WebQueues(options)
    self.idField = idField
    self.maxSize = maxSize
    self.metrics = metrics
    self.path = path
    self.name = name
    self.store = store
    self.base = base
    self.options = options
    page = PageAsset.edition(path: path, base: base, options: options)
    streams = WebStreams(of: path, options)
  }
}

package struct WebOptions: Hashable {
  package var isReadOnly = false
  package var maxBodySize = 16 << 20
  /// The largest size in bytes of all bodies together that arrive or are being used. Further ones
  /// are refused.
  package var maxBodiesSize = 256 << 20
  /// The number of changes that clients can undo. Older ones are forgotten.
  package var maxUndos = 1_000
  /// The largest number of connections at a time. Further ones are refused.
  package var maxConnections = 4_096
  /// The largest number of streams at a time. Further ones are refused.
  package var maxStreams = 2_048
  /// The number of requests for lists that may run or wait at a time. Further ones are refused.
  package var maxLists = 256
  /// The number of requests that read or change items that may run or wait at a time.
  package var maxItems = 256
  /// The number of requests for the history that may run or wait at a time.
  package var maxHistory = 64
  /// The number of views that may wait for git to continue after a token. Further ones get the complete list.
  package var maxResuming = 16
  /// The longest time that such a view waits for others.
  package var resumingTimeout = Duration.seconds(5)
  /// The time in which a client has to send a complete head, and then each piece of a body.
  package var requestTimeout = Duration.seconds(10)
  /// The time after which a client that reads nothing of what waits for it is disconnected.
  package var clientTimeout = Duration.seconds(60)
  /// The pause after which a stream without news sends a comment.
  package var heartbeat = Duration.seconds(15)

  package init() {}
}
