import CLinux
import Files
import Glibc
package import Serve
import Synchronization
import SystemPackage

/// The daemon's socket: its own, or the one that systemd made.
///
/// A lock file beside the socket, held for the life of the daemon, decides who may serve it: two
/// daemons that start at once never remove each other's socket.
package final class ListeningSocket: Sendable {
  private struct State: ~Copyable {
    var socket: Descriptor?
    /// The lock of the daemon. Nil if the folder of an inherited socket cannot hold one.
    var lock: Descriptor?
  }

  package let path: SocketPath
  /// The identity of the socket's file if this process made it.
  private let own: FileIdentity?
  /// The number of the descriptor. It is valid until `close()`.
  package let raw: CInt
  /// Lock: guards the socket and the lock of the daemon.
  private let state: Mutex<State>

  /// The number of connections that the system keeps until they are accepted.
  private static let backlog: CInt = 4_096

  /// Makes a socket for this user alone, and its folder. Fails with `alreadyRunning` if a daemon serves it.
  package init(at path: SocketPath) throws(HTTPServerError) {
    try ListeningSocket.prepareFolder(path.folder)
    let lock = try ListeningSocket.acquireLock(for: path)
    try ListeningSocket.removeStaleSocket(at: path)
    let socket = try ListeningSocket.bound(to: path)
    guard let identity = try? FileStatus(in: AT_FDCWD, path.description).stamp.identity else {
      throw HTTPServerError(.system, "The socket \(path) was removed while it was made. Try again.")
    }
    self.path = path
    own = identity
    raw = socket.raw
    state = Mutex(State(socket: socket, lock: lock))
  }

  private init(_ socket: consuming Descriptor, at path: SocketPath, _ lock: consuming Descriptor?) {
    self.path = path
    own = nil
    raw = socket.raw
    state = Mutex(State(socket: socket, lock: lock))
  }

  private static func bound(to path: SocketPath) throws(HTTPServerError) -> Descriptor {
    let raw = clinux_unix_socket(0)
    if raw < 0 {
      throw HTTPServerError(.system, "The socket \(path) cannot be made: \(Errno.current.reason).")
    }
    let socket = Descriptor(owning: raw)
    // The folder admits nobody else, so nobody can connect before the mode is set.
    guard clinux_unix_bind(raw, path.description) == 0, chmod(path.description, 0o600) == 0,
      listen(raw, backlog) == 0
    else {
      throw HTTPServerError(.system, "The socket \(path) cannot be made: \(Errno.current.reason).")
    }
    return socket
  }

  /// Ends listening, and removes the socket if this process made it.
  package func close() {
    state.withLock { state in
      guard state.socket != nil else { return }
      // Another socket of this name is not ours.
      if let own, let found = try? FileStatus(in: AT_FDCWD, path.description), found.stamp.identity == own,
        found.kind == S_IFSOCK
      {
        unlink(path.description)
      }
      state.socket = nil
      // The lock is released last, so that the next daemon finds no socket of ours.
      state.lock = nil
    }
  }

  /// The first descriptor that systemd passes on.
  private static let firstInherited: CInt = 3

  /// Adopts the socket that systemd made for this process, and removes the variables about it; nil if there
  /// is none. It is an error if there are several, or if it is not a listening Unix domain socket.
  package static func inherited() throws(HTTPServerError) -> ListeningSocket? {
    let process = number("LISTEN_PID")
    let count = number("LISTEN_FDS")
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
    guard process == Int(getpid()), let count, count > 0 else { return nil }
    // Commands must not inherit them.
    for raw in firstInherited..<firstInherited + CInt(clamping: min(count, 1_024)) {
      _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    }
    let rule = "The unit must have exactly one `ListenStream=` with the path of a socket."
    guard count == 1 else { throw HTTPServerError(.badPath, "systemd passed on \(count) sockets. \(rule)") }
    var path = [CChar](repeating: 0, count: SocketPath.maxLength + 1)
    guard clinux_is_listening(firstInherited) == 1, clinux_unix_path(firstInherited, &path, path.count) == 0
    else {
      throw HTTPServerError(
        .badPath, "systemd passed on something else than a listening Unix domain socket. \(rule)")
    }
    let socket = Descriptor(owning: firstInherited)
    _ = fcntl(socket.raw, F_SETFL, fcntl(socket.raw, F_GETFL) | O_NONBLOCK)
    let found = try SocketPath(
      String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    return ListeningSocket(socket, at: found, try acquireLockIfPossible(for: found))
  }

  private static func number(_ variable: String) -> Int? {
    getenv(variable).flatMap { Int(String(cString: $0)) }
  }
}
