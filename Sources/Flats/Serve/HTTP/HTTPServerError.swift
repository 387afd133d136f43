/// The reason why a server cannot listen, on TCP or on a Unix socket, or cannot use its private files;
/// or why a client gets no answer of the daemon.
package struct HTTPServerError: Error, Hashable, CustomStringConvertible {
  package enum Code: Hashable {
    /// Another program listens on the port.
    case portInUse
    /// The machine does not have the address, or it is not an IP address.
    case noAddress
    /// Only privileged users may listen on the port; or the socket, its folder or a private file
    /// belongs to another user, or other users may use it, or it cannot be read or written.
    case denied
    /// There is no folder for sockets, or the path cannot be used.
    case badPath
    case alreadyRunning
    case system
    case noDaemon
    /// The socket belongs to another user, or may not be opened.
    case notPermitted
    /// The daemon ended the connection before its answer was complete. For a stream, which has no
    /// end, this is the end of the daemon.
    case lost
    case badAnswer
    /// The daemon refused the request. The code of its problem document.
    case refused(String)
    case readerIsGone
  }

  package let code: Code
  /// One or two sentences: what is wrong, and what to do.
  package let description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
