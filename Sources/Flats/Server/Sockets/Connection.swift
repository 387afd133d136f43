import CLinux
import Files
import Glibc
import Sinks
import Streams
import Synchronization
import SystemPackage

/// The connection to one client. Nothing of it blocks: the loop of the sockets reads what the client
/// sends and reports when there is room to write, and the task of the client does everything else.
///
/// Reading stops while a complete line waits, so a client that sends faster than it is answered
/// waits in its own `write`.
///
/// One lock guards the state; the descriptor is read and written under it. Nothing else is locked
/// while it is held.
final class Connection: Sendable {
  private struct State: ~Copyable {
    var socket: Descriptor?
    var lines = LineBuffer()
    /// True while a complete line may wait in `lines`.
    var hasLine = false
    var hasInputEnded = false
    /// True if the peer can receive nothing any more.
    var isGone = false
    /// True if the connection is to end after a complete line.
    var isEnding = false
    /// True if the first line did not come in time.
    var isLate = false
    /// True while the system has no room for more output.
    var isFull = false
    /// The events that the loop waits for.
    var interest: UInt32 = CLINUX_READABLE
  }

  /// The result of an attempt to send.
  enum Sent: Equatable {
    /// This many bytes were sent, at least one.
    case bytes(Int)
    /// There is no room. The task is woken when there is.
    case nothing
    /// The peer can receive nothing any more.
    case gone
  }

  /// The number of the connection in the loop.
  let id: UInt64
  /// Wakes the task of the client for lines, for room, and for the end.
  let wakeup = Wakeup()
  private let epoll: CInt
  /// Lock: guards the lines that a client sent, and what its socket waits for. The socket is read
  /// and written under it.
  private let state: Mutex<State>

  /// The number of bytes that are read at once.
  private static let readSize = 1 << 16

  /// Adds a connection to the loop's epoll descriptor. Nil if the system cannot observe it.
  init?(_ socket: consuming Descriptor, id: UInt64, epoll: CInt) {
    self.id = id
    self.epoll = epoll
    let raw = socket.raw
    state = Mutex(State(socket: socket))
    // From here on the loop may call this connection, so it comes last.
    guard clinux_epoll_add(epoll, raw, id, CLINUX_READABLE) == 0 else { return nil }
  }

  /// True if the peer can receive nothing any more.
  var isGone: Bool { state.withLock { $0.isGone } }

  /// True if the connection is to end after a complete line.
  var isEnding: Bool { state.withLock { $0.isEnding } }

  /// True if the client sends nothing more, and each of its lines was consumed.
  var hasInputEnded: Bool { state.withLock { $0.hasInputEnded && !$0.hasLine } }

  /// True if the first line did not come in time.
  var isLate: Bool { state.withLock { $0.isLate } }

  /// True if the incomplete line is already longer than the limit.
  var hasOverlongLine: Bool { state.withLock { $0.lines.isOverlong } }

  /// Returns the next complete line; nil if there is none yet.
  func nextLine() -> ControlLine? {
    state.withLock { state in
      if let line = state.lines.nextLine() { return line }
      state.hasLine = false
      updateInterest(&state)
      return nil
    }
  }

  /// Sends bytes without blocking.
  ///
  /// - Parameter start: The number of bytes that were sent already.
  func send(_ bytes: [UInt8], from start: Int) -> Sent {
    state.withLock { state in
      guard let raw = state.socket?.raw, !state.isGone else { return .gone }
      let count = retryOnInterrupt {
        bytes.withUnsafeBytes { clinux_send(raw, $0.baseAddress.map { $0 + start }, $0.count - start) }
      }
      if count > 0 {
        state.isFull = false
        return .bytes(count)
      }
      if count < 0, errno != EAGAIN {
        state.isGone = true
        updateInterest(&state)
        return .gone
      }
      state.isFull = true
      updateInterest(&state)
      return .nothing
    }
  }

  /// Ends the connection after a complete line.
  func end() {
    state.withLock { $0.isEnding = true }
    wakeup.signal()
  }

  /// Ends the wait for the first line.
  func expireRequest() {
    state.withLock { $0.isLate = true }
    wakeup.signal()
  }

  /// Ends the connection at once.
  func abandon() {
    state.withLock { state in
      state.isGone = true
      updateInterest(&state)
    }
    wakeup.signal()
  }

  /// Closes the connection. What was sent still arrives.
  func close() {
    state.withLock { state in
      guard let raw = state.socket?.raw else { return }
      // If unread input remained, the system would report a reset to the peer instead of an end.
      shutdown(raw, CInt(SHUT_WR))
      var room = [UInt8](repeating: 0, count: Connection.readSize)
      _ = clinux_receive(raw, &room, room.count)
      _ = clinux_epoll_remove(epoll, raw)
      state.isGone = true
      state.socket = nil
    }
  }

  /// Handles the events that the loop observed.
  func handle(_ ready: UInt32) {
    let mustWake = state.withLock { state in
      guard let raw = state.socket?.raw else { return false }
      var mustWake = false
      if ready & CLINUX_READABLE != 0, state.interest & CLINUX_READABLE != 0 {
        mustWake = read(raw, &state)
      } else if ready & CLINUX_CLOSED != 0 {
        // It is reported again and again, so the loop must forget it.
        state.isGone = true
        mustWake = true
      }
      if ready & CLINUX_WRITABLE != 0 {
        state.isFull = false
        mustWake = true
      }
      updateInterest(&state)
      return mustWake
    }
    if mustWake { wakeup.signal() }
  }

  /// Reads once. Returns true if the task has something to do.
  private func read(_ raw: CInt, _ state: inout State) -> Bool {
    var room = [UInt8](repeating: 0, count: Connection.readSize)
    let count = retryOnInterrupt { clinux_receive(raw, &room, room.count) }
    if count > 0 {
      state.lines.append(room[..<count])
      if state.lines.hasLine { state.hasLine = true }
      return state.hasLine || state.lines.isOverlong
    }
    if count < 0, errno == EAGAIN { return false }
    state.lines.finish()
    state.hasLine = true
    state.hasInputEnded = true
    if count < 0 { state.isGone = true }
    return true
  }

  /// Sets the events that the loop waits for.
  private func updateInterest(_ state: inout State) {
    guard let raw = state.socket?.raw else { return }
    if state.isGone {
      _ = clinux_epoll_remove(epoll, raw)
      return
    }
    var interest: UInt32 = 0
    if !state.hasLine, !state.hasInputEnded { interest |= CLINUX_READABLE }
    if state.isFull { interest |= CLINUX_WRITABLE }
    guard interest != state.interest else { return }
    state.interest = interest
    _ = clinux_epoll_change(epoll, raw, id, interest)
  }
}
