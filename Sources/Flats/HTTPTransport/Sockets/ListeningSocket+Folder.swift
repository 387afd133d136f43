import CLinux
import Files
import Glibc
import Serve
import SystemPackage

/// The folder of the socket, which belongs to this user alone.
extension ListeningSocket {
  /// Makes the folder if it is missing, and checks that no other user may use it.
  static func prepareFolder(_ folder: String) throws(HTTPServerError) {
    if mkdir(folder, 0o700) != 0, case let error = Errno.current, error != .fileExists {
      throw HTTPServerError(
        .system, "The folder of the socket, \(folder), cannot be created: \(error.reason).")
    }
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw HTTPServerError(.badPath, "The folder of the socket, \(folder), is not a folder.")
    }
    guard status.st_uid == geteuid() else {
      throw HTTPServerError(
        .denied,
        "The folder of the socket, \(folder), belongs to another user (uid \(status.st_uid)). Use a folder of your own."
      )
    }
    guard status.st_mode & 0o077 == 0 else {
      throw HTTPServerError(
        .denied,
        "Other users may use the folder of the socket, \(folder): its mode is \(octal(status.st_mode)). Run: chmod 700 \(folder)"
      )
    }
  }

  /// Removes a socket that nobody serves, and refuses anything else. Call it only with the socket's lock.
  static func removeStaleSocket(at path: SocketPath) throws(HTTPServerError) {
    var status = stat()
    guard lstat(path.description, &status) == 0 else {
      if errno == ENOENT { return }
      throw HTTPServerError(.system, "The socket \(path) cannot be examined: \(Errno.current.reason).")
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw HTTPServerError(
        .badPath, "\(path) is not a socket. Move it away, or give another path in \(SocketPath.variable).")
    }
    guard status.st_uid == geteuid() else {
      throw HTTPServerError(
        .denied, "The socket \(path) belongs to another user (uid \(status.st_uid)). Remove it as that user.")
    }
    let raw = clinux_unix_socket(0)
    if raw < 0 { throw HTTPServerError(.system, "A socket cannot be made: \(Errno.current.reason).") }
    let probe = Descriptor(owning: raw)
    let isServed = clinux_unix_connect(probe.raw, path.description) == 0
    // A connection that has to wait reaches a program that listens, too.
    if isServed || errno == EAGAIN {
      throw alreadyRunning(isServed ? SocketPeer(of: probe.raw)?.process : nil, path)
    }
    guard errno == ECONNREFUSED || errno == ENOENT else {
      throw HTTPServerError(.system, "The socket \(path) cannot be examined: \(Errno.current.reason).")
    }
    if unlink(path.description) != 0, errno != ENOENT {
      throw HTTPServerError(
        .system, "The socket \(path), which nobody serves, cannot be removed: \(Errno.current.reason).")
    }
  }

  private static func octal(_ mode: mode_t) -> String { "0" + String(mode & 0o7777, radix: 8) }
}
