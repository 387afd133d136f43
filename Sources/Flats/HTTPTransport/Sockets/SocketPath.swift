import Files
import Glibc
package import Serve

/// The path of the daemon's socket.
package struct SocketPath: Hashable, CustomStringConvertible {
  /// The variable with the path, for tests and unusual systems.
  package static let variable = "NOTES_WATCH_SOCKET"
  /// The largest number of bytes in the path of a socket, a limit of the system.
  package static let maxLength = 107

  package let description: String

  /// Uses a path that the user gave. It must be absolute, and not too long.
  package init(_ path: String) throws(HTTPServerError) {
    guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
      throw HTTPServerError(
        .badPath, "The path of the socket, `\(path)`, is not absolute. Begin it with `/`.")
    }
    let length = path.utf8.count
    guard length <= SocketPath.maxLength else {
      throw HTTPServerError(
        .badPath,
        "The path of the socket, `\(path)`, has \(length) bytes, but the system allows \(SocketPath.maxLength). "
          + "Give a shorter one in the variable \(SocketPath.variable).")
    }
    description = path
  }

  /// Finds the path: that of `NOTES_WATCH_SOCKET`, or `notes-watch/daemon.sock` in `XDG_RUNTIME_DIR` or in
  /// `/run/user/UID`.
  package init(environment: [String: String]) throws(HTTPServerError) {
    if let path = environment[SocketPath.variable] {
      try self.init(path)
    } else if let folder = PrivateFolder.runtime(environment) {
      try self.init("\(folder)/notes-watch/daemon.sock")
    } else {
      throw HTTPServerError(
        .badPath,
        "There is no folder for sockets: XDG_RUNTIME_DIR is not set, and /run/user/\(getuid()) is not a folder of this user. "
          + "Set XDG_RUNTIME_DIR to a folder of yours with the mode 0700, or \(SocketPath.variable) to the "
          + "path of a socket.")
    }
  }

  /// The names of the variables that `init(environment:)` reads.
  package static let variables = [variable, "XDG_RUNTIME_DIR"]

  package var folder: String { parentFolder(of: description) }
}
