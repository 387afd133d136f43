import Streams
import CLinux
import PlainStore
import Synchronization

/// Serves live lists to the clients of a socket.
///
/// One thread observes the sockets (`SocketLoop`). Each client has a task on one of a few queues.
/// It makes its output when the client has room for it, so a client that reads nothing costs the
/// list that it was given last and one piece of output.
///
/// One lock guards the clients. Nothing else is locked while it is held.
package final class SocketServer: Sendable {
  private struct Client {
    let connection: Connection
    /// The folder whose list the client has.
    var folder: String?
    var task: Task<Void, Never>?
  }

  private struct State {
    var clients: [UInt64: Client] = [:]
    var loop: SocketLoop?
    var isStopping = false
  }

  private let listening: ListeningSocket
  private let context: ServerContext
  private let acceptor: Acceptor
  private let log: @Sendable (ServerLogEntry) -> Void
  /// Lock: guards the clients and the folders whose lists they have.
  private let state = Mutex(State())
  /// Signalled when the last client of a server that stops is gone.
  private let drained = Wakeup()

  /// The number of files that the process may have open, beside its clients.
  private static let otherFiles = 1_024
  /// The number of files that clients leave to the folders and sinks where the limit is low.
  private static let reservedFiles = 256

  /// Makes a server. It begins with `start()`.
  ///
  /// - Parameters:
  ///   - listening: The socket. The server closes it when it stops.
  ///   - handler: The daemon. The server holds it until it stops.
  ///   - options: The limits.
  ///   - log: Receives what a person may want to know. It may be called on any thread.
  package init(
    _ listening: ListeningSocket, handler: any ServerHandler, options: ServerOptions = ServerOptions(),
    log: @escaping @Sendable (ServerLogEntry) -> Void
  ) {
    self.listening = listening
    self.log = log
    context = ServerContext(handler, options)
    // Clients must not use up the files that the folders need.
    let wanted = max(1, options.maxClients)
    let files = Int(clamping: clinux_raise_file_limit(UInt64(wanted) + UInt64(SocketServer.otherFiles)))
    acceptor = Acceptor(
      limit: max(1, min(wanted, files - min(SocketServer.reservedFiles, files / 2))), log: log)
  }

  /// Starts to accept clients.
  ///
  /// - Throws: `SocketError` if the system has no descriptors for it.
  package func start() throws(SocketError) {
    let loop = try SocketLoop(listening.raw, acceptor) { [weak self] connection, reason in
      self?.expire(connection, reason)
    }
    state.withLock { $0.loop = loop }
    loop.start { [weak self] connection in self?.serve(connection, loop) }
  }

  /// Ends all clients, each after a complete line if it reads within `ServerOptions.stopTimeout`,
  /// and removes the socket.
  package func stop() async {
    let (loop, clients, isFirst) = state.withLock { state in
      defer { state.isStopping = true }
      return (state.loop, Array(state.clients.values), !state.isStopping)
    }
    guard isFirst else { return }
    loop?.stopAccepting()
    for client in clients { end(client) }
    while state.withLock({ !$0.clients.isEmpty }) { await drained.wait() }
    loop?.end()
    listening.close()
  }

  /// The number of clients.
  package var clientCount: Int { state.withLock { $0.clients.count } }

  /// The number of clients with a live list, by the path of the folder (`ServedFolder.path`).
  package func clientCounts() -> [String: Int] {
    state.withLock { state in
      state.clients.values.reduce(into: [:]) { counts, client in
        if let folder = client.folder { counts[folder, default: 0] += 1 }
      }
    }
  }

  /// Ends the clients of a folder that is not served any more.
  ///
  /// - Parameter folder: Its path (`ServedFolder.path`).
  package func close(folder: String) {
    for client in state.withLock({ $0.clients.values.filter { $0.folder == folder } }) { end(client) }
    context.forget(folder: folder)
  }

  private func end(_ client: Client) {
    let loop = state.withLock(\.loop)
    loop?.setDeadline(after: context.options.stopTimeout, .stop, of: client.connection)
    client.connection.end()
    client.task?.cancel()
  }

  /// Serves a new connection. Called on the thread of the loop.
  private func serve(_ connection: Connection, _ loop: SocketLoop) {
    let isStopping = state.withLock { state in
      if !state.isStopping { state.clients[connection.id] = Client(connection: connection) }
      return state.isStopping
    }
    if isStopping { return close(connection, loop) }
    let output = ClientOutput(connection: connection, loop: loop, timeout: context.options.clientTimeout)
    let session = ClientSession(
      connection: connection, output: output, context: context, loop: loop,
      onFolder: { folder in self.state.withLock { $0.clients[connection.id]?.folder = folder } })
    let task = Task(executorPreference: context.queue(of: connection)) {
      await session.run()
      self.close(connection, loop)
    }
    // A task that has ended already has removed its client.
    state.withLock { $0.clients[connection.id]?.task = task }
  }

  private func close(_ connection: Connection, _ loop: SocketLoop) {
    loop.remove(connection)
    connection.close()
    acceptor.forget()
    forget(connection)
  }

  private func forget(_ connection: Connection) {
    let isLast = state.withLock { state in
      state.clients[connection.id] = nil
      return state.isStopping && state.clients.isEmpty
    }
    if isLast { drained.signal() }
  }

  /// Ends a connection whose deadline has passed.
  private func expire(_ connection: Connection, _ reason: SocketLoop.Reason) {
    switch reason {
    case .request: connection.expireRequest()
    case .stall:
      let seconds = context.options.clientTimeout.components.seconds
      log(
        ServerLogEntry(
          isWarning: true, message: "A client that read nothing for \(seconds) s was disconnected."))
      connection.abandon()
    case .stop:
      connection.abandon()
      // Its task may wait for git. The server does not wait for the task.
      forget(connection)
    }
  }
}
