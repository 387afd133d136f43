/// The daemon's socket: its own, or the one that systemd made.
package final class ListeningSocket: Sendable {
  /// The path of the socket.
  package let path: SocketPath

  /// Makes a socket that only this user can connect to.
  ///
  /// - Throws: `SocketError` with the code `alreadyRunning` if another daemon serves it.
  package init(at path: SocketPath) throws(SocketError) {
    self.path = path
  }

  /// Adopts the socket that systemd made for this process; nil if there is none.
  ///
  /// - Throws: `SocketError` if there are several, or if it is not a listening Unix domain socket.
  package static func inherited() throws(SocketError) -> ListeningSocket? { nil }

  /// Ends listening, and removes the socket if this process made it.
  package func close() {}
}
