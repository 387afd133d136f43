/// Serves live lists to the clients of a socket.
package final class SocketServer: Sendable {
  private let listening: ListeningSocket
  private let handler: any ServerHandler
  private let options: ServerOptions
  private let log: @Sendable (ServerLogEntry) -> Void

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
    self.handler = handler
    self.options = options
    self.log = log
  }

  /// Starts to accept clients.
  ///
  /// - Throws: `SocketError` if the system has no descriptors for it.
  package func start() throws(SocketError) {}

  /// Ends all clients, each after a complete line if it reads within `ServerOptions.stopTimeout`,
  /// and removes the socket.
  package func stop() async {}

  /// The number of clients.
  package var clientCount: Int { 0 }

  /// The number of clients with a live list, by the path of the folder (`ServedFolder.path`).
  package func clientCounts() -> [String: Int] { [:] }

  /// Ends the clients of a folder that is not served any more.
  ///
  /// - Parameter folder: Its path (`ServedFolder.path`).
  package func close(folder: String) {}
}
