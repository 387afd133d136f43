import Files
import Git
import PlainStore
import Sinks
import Streams
import Synchronization

/// Everything that the clients of one server share.
///
/// One lock guards the readers of HEAD. Nothing else is locked while it is held.
final class ServerContext: Sendable {
  /// The daemon.
  let handler: any ServerHandler
  /// The limits of the clients.
  let options: ServerOptions
  /// The positions at which clients can continue.
  let positions = RecentPositions()
  /// Queue: runs git for clients that continue after a token, one at a time. Blocks in `read`.
  let resuming = BoundedQueue(QueueExecutor("resume of a client"), limit: ServerContext.maxResuming)
  /// Lock: guards the readers of HEAD, by folder.
  private let heads = Mutex<[String: HeadReader]>([:])
  private let queues: [QueueExecutor]
  private let openingQueues: [QueueExecutor]

  /// The number of queues of each kind.
  private static let queueCount = 4
  /// The number of clients that may wait for git. Further ones get the complete list.
  private static let maxResuming = 16

  /// Makes the context of a server without clients.
  init(_ handler: any ServerHandler, _ options: ServerOptions) {
    self.handler = handler
    self.options = options
    // Queue: makes and sends the output of some clients, and answers their lines.
    queues = (0..<ServerContext.queueCount).map { _ in QueueExecutor("clients") }
    // Queue: makes the lists and the text that clients ask for.
    openingQueues = (0..<ServerContext.queueCount).map { _ in QueueExecutor("lists of clients") }
  }

  /// Returns the queue of a client, for work that takes as long as a change is large.
  func queue(of connection: Connection) -> QueueExecutor { queues[Int(connection.id % UInt64(queues.count))] }

  /// Returns the queue of a client for work that takes as long as its list is large, so that the
  /// others do not wait for it.
  func openingQueue(of connection: Connection) -> QueueExecutor {
    openingQueues[Int(connection.id % UInt64(openingQueues.count))]
  }

  /// Returns the reader of HEAD for a folder; nil if it is in no work tree.
  func head(of folder: String) -> HeadReader? {
    if let known = heads.withLock({ $0[folder] }) { return known }
    guard let head = HeadReader(above: folder) else { return nil }
    heads.withLock { $0[folder] = head }
    return head
  }

  /// Forgets everything about a folder.
  func forget(folder: String) {
    heads.withLock { $0[folder] = nil }
    positions.forget(folder: folder)
  }
}
