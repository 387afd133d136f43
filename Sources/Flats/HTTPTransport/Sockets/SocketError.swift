/// The reason why a socket cannot be used.
package struct SocketError: Error, Hashable, CustomStringConvertible {
  /// The kind of reason, for the exit code.
  package let code: Code
  /// A sentence for people: what is wrong and what to do.
  package let description: String

  /// The kinds of reasons.
  package enum Code: Sendable, Hashable {
    /// There is no folder for sockets, or the path cannot be used.
    case badPath
    /// The socket or its folder belongs to another user, or other users may write to it.
    case denied
    /// Another daemon serves the socket.
    case alreadyRunning
    /// A system call failed.
    case system
  }

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
