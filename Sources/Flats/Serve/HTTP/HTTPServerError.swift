/// The reason why a server cannot listen, on TCP or on a Unix socket, or cannot use its private files.
package struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: Sendable, Hashable {
    /// Another program listens on the port.
    case portInUse
    /// The machine does not have the address, or it is not an IP address.
    case noAddress
    /// Only privileged users may listen on the port; or the socket, its folder or a private file
    /// belongs to another user, or other users may use it, or it cannot be read or written.
    case denied
    /// There is no folder for sockets, or the path cannot be used.
    case badPath
    /// Another daemon serves the socket.
    case alreadyRunning
    /// Another error of the system.
    case system
  }

  package let code: Code
  /// One or two sentences: what is wrong, and what to do.
  package let description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
