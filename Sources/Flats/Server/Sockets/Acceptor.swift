import CLinux
import Files
import Glibc
import Synchronization
import SystemPackage

/// Accepts the connections of this user's programs, up to a limit.
///
/// A spare descriptor is kept, so that a client can be refused when the process has no others: a
/// connection that is never accepted would wake the loop again and again. One lock guards the
/// state.
final class Acceptor: Sendable {
  private struct State: ~Copyable {
    var spare: Descriptor?
    /// The number of connections that were accepted and not forgotten.
    var count = 0
    /// True if the last connection was refused for their number, which is reported once.
    var isFull = false
  }

  /// The result of an attempt to accept.
  enum Outcome {
    /// No connection waits.
    case none
    /// A connection. The caller owns the descriptor.
    case accepted(CInt)
    /// A connection was refused.
    case refused
    /// The system has no room for a connection.
    case exhausted
  }

  /// Lock: guards the number of connections, and a spare descriptor.
  private let state: Mutex<State>
  private let limit: Int
  private let log: @Sendable (ServerLogEntry) -> Void

  /// Prepares to accept.
  ///
  /// - Parameters:
  ///   - limit: The largest number of connections at a time.
  ///   - log: Receives what a person may want to know.
  init(limit: Int, log: @escaping @Sendable (ServerLogEntry) -> Void) {
    self.limit = limit
    self.log = log
    state = Mutex(State(spare: Acceptor.makeSpare()))
  }

  /// The number of connections.
  var count: Int { state.withLock { $0.count } }

  /// Counts a connection as closed.
  func forget() {
    state.withLock { state in
      state.count -= 1
      state.isFull = state.isFull && state.count >= limit
    }
  }

  /// Accepts one connection.
  func accept(_ listener: CInt) -> Outcome {
    let raw = clinux_accept(listener)
    if raw >= 0 { return admit(Descriptor(owning: raw)) }
    switch errno {
    case EAGAIN: return .none
    case EINTR, ECONNABORTED, EPROTO: return .refused
    case EMFILE, ENFILE: return refuseWithSpare(listener)
    default: return .exhausted
    }
  }

  private func admit(_ socket: consuming Descriptor) -> Outcome {
    guard let peer = SocketPeer(of: socket.raw), peer.isTrusted else {
      log(ServerLogEntry(isWarning: true, message: "A connection of another user was refused."))
      return .refused
    }
    let (isAdmitted, mustReport) = state.withLock { state in
      if state.count < limit {
        state.count += 1
        return (true, false)
      }
      defer { state.isFull = true }
      return (false, !state.isFull)
    }
    if isAdmitted { return .accepted(socket.release()) }
    if mustReport {
      log(
        ServerLogEntry(
          isWarning: true, message: "There are \(limit) clients, the limit; further ones are refused."))
    }
    Acceptor.refuse(socket, "There are already \(limit) clients, the limit. Close one.")
    return .refused
  }

  /// Refuses a connection for which the process has no descriptor left.
  private func refuseWithSpare(_ listener: CInt) -> Outcome {
    state.withLock { state in
      guard state.spare != nil else {
        state.spare = Acceptor.makeSpare()
        return .exhausted
      }
      state.spare = nil
      let raw = clinux_accept(listener)
      let error = errno
      if raw >= 0 {
        Acceptor.refuse(
          Descriptor(owning: raw),
          "The daemon has too many open files. Close a client, or raise its `ulimit -n`.")
      }
      state.spare = Acceptor.makeSpare()
      if raw < 0, error == EAGAIN { return .none }
      return raw >= 0 && state.spare != nil ? .refused : .exhausted
    }
  }

  /// Says why, and closes the connection.
  private static func refuse(_ socket: consuming Descriptor, _ message: String) {
    let line = ServerLine(RequestError(.tooManyClients, message)).bytes
    _ = line.withUnsafeBytes { clinux_send(socket.raw, $0.baseAddress, $0.count) }
    shutdown(socket.raw, CInt(SHUT_WR))
    // If unread input remained, the system would report a reset to the peer instead of an end.
    var room = [UInt8](repeating: 0, count: 1 << 16)
    _ = clinux_receive(socket.raw, &room, room.count)
  }

  private static func makeSpare() -> Descriptor? { try? Descriptor.open("/dev/null", O_RDONLY) }
}
