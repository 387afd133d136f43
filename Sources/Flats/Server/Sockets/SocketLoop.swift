import CLinux
import Dispatch
import Files
import Glibc
import Synchronization
import SystemPackage

/// Observes the listening socket and all connections on one thread: it accepts, reads, and reports
/// when there is room to write. It sleeps while nothing happens, and has one timer for all
/// deadlines.
///
/// One lock guards the state. Nothing else is locked while it is held.
final class SocketLoop: Sendable {
  private struct State {
    var connections: [UInt64: Connection] = [:]
    var deadlines: [UInt64: Deadline] = [:]
    var lastID = SocketLoop.listenerID
    /// The time at which the loop wakes up by itself; nil if it does not.
    var nextWakeup: SuspendingClock.Instant?
    var isOver = false
  }

  /// The time at which a connection ends.
  private struct Deadline {
    let time: SuspendingClock.Instant
    let reason: Reason
  }

  /// The reason for a deadline.
  enum Reason: Sendable {
    /// The first line did not come in time.
    case request
    /// The client read nothing for too long.
    case stall
    /// The client read too slowly while the server stopped.
    case stop
  }

  private static let wakeupID: UInt64 = 0
  private static let listenerID: UInt64 = 1
  /// The number of events, and of new connections, that are handled at once.
  private static let batch = 64
  /// The pause after the system had no room for a new connection.
  private static let acceptPause = Duration.seconds(1)

  private let epoll: Descriptor
  private let wakeup = EventCounter()
  /// Lock: guards the connections by their numbers, and their deadlines.
  private let state = Mutex(State())
  private let listener: CInt
  private let acceptor: Acceptor
  private let onDeadline: @Sendable (Connection, Reason) -> Void

  /// Prepares the loop.
  ///
  /// - Parameters:
  ///   - listener: The listening socket. It stays open until `end()` was called.
  ///   - acceptor: Accepts its connections.
  ///   - onDeadline: Called on the thread of the loop when a deadline has passed.
  init(
    _ listener: CInt, _ acceptor: Acceptor, onDeadline: @escaping @Sendable (Connection, Reason) -> Void
  ) throws(SocketError) {
    epoll = Descriptor(owning: clinux_epoll())
    self.listener = listener
    self.acceptor = acceptor
    self.onDeadline = onDeadline
    guard epoll.raw >= 0, wakeup.raw >= 0,
      clinux_epoll_add(epoll.raw, wakeup.raw, SocketLoop.wakeupID, CLINUX_READABLE) == 0,
      clinux_epoll_add(epoll.raw, listener, SocketLoop.listenerID, CLINUX_READABLE) == 0
    else { throw SocketError(.system, "The socket cannot be observed: \(Errno.current.reason).") }
  }

  /// Starts the thread.
  ///
  /// - Parameter onConnection: Called on it with each new connection.
  func start(_ onConnection: @escaping @Sendable (Connection) -> Void) {
    // Queue: accepts clients, reads what they send, and notices when they have room. Blocks in
    // `epoll_wait`.
    DispatchQueue(label: "socket").async { self.run(onConnection) }
  }

  /// Stops accepting. Connections stay.
  func stopAccepting() { _ = clinux_epoll_remove(epoll.raw, listener) }

  /// Ends the thread. Nothing is received any more.
  func end() {
    state.withLock { $0.isOver = true }
    wakeup.signal()
  }

  /// Sets the deadline of a connection, in place of an earlier one. The one of a server that stops
  /// stays.
  func setDeadline(after delay: Duration, _ reason: Reason, of connection: Connection) {
    let time = SuspendingClock.now + delay
    let mustWake = state.withLock { state in
      guard state.connections[connection.id] != nil, state.deadlines[connection.id]?.reason != .stop else {
        return false
      }
      state.deadlines[connection.id] = Deadline(time: time, reason: reason)
      return state.nextWakeup.map { time < $0 } ?? true
    }
    if mustWake { wakeup.signal() }
  }

  /// Removes the deadline of a connection. A wakeup for it may still come, once.
  func clearDeadline(of connection: Connection) {
    state.withLock { state in
      if state.deadlines[connection.id]?.reason != .stop { state.deadlines[connection.id] = nil }
    }
  }

  /// Forgets a connection, which its task closes.
  func remove(_ connection: Connection) {
    state.withLock { state in
      state.connections[connection.id] = nil
      state.deadlines[connection.id] = nil
    }
  }

  private func run(_ onConnection: @Sendable (Connection) -> Void) {
    var events = [clinux_event](repeating: clinux_event(), count: SocketLoop.batch)
    var acceptsAgain: SuspendingClock.Instant?
    while let timeout = nextTimeout(acceptsAgain) {
      let count = clinux_epoll_wait(epoll.raw, &events, CInt(events.count), timeout)
      for event in events.prefix(max(0, Int(count))) {
        switch event.id {
        case SocketLoop.wakeupID: wakeup.clear()
        case SocketLoop.listenerID:
          if !accept(onConnection) {
            acceptsAgain = .now + SocketLoop.acceptPause
            _ = clinux_epoll_change(epoll.raw, listener, SocketLoop.listenerID, 0)
          }
        default: state.withLock { $0.connections[event.id] }?.handle(event.ready)
        }
      }
      if let time = acceptsAgain, time <= .now {
        acceptsAgain = nil
        _ = clinux_epoll_change(epoll.raw, listener, SocketLoop.listenerID, CLINUX_READABLE)
      }
      for (connection, reason) in passedDeadlines() { onDeadline(connection, reason) }
    }
  }

  /// Accepts the connections that wait. Returns false if the system has no room for more.
  private func accept(_ onConnection: (Connection) -> Void) -> Bool {
    for _ in 0..<SocketLoop.batch {
      switch acceptor.accept(listener) {
      case .none: return true
      case .refused: continue
      case .exhausted: return false
      case .accepted(let raw):
        let id = state.withLock { state in
          state.lastID += 1
          return state.lastID
        }
        guard let connection = Connection(Descriptor(owning: raw), id: id, epoll: epoll.raw) else {
          acceptor.forget()
          continue
        }
        // An earlier event is not lost: epoll reports a readable socket again.
        state.withLock { $0.connections[id] = connection }
        onConnection(connection)
      }
    }
    return true
  }

  /// Returns the milliseconds to sleep, -1 for no end; nil if the loop is over.
  private func nextTimeout(_ acceptsAgain: SuspendingClock.Instant?) -> CInt? {
    state.withLock { state in
      if state.isOver { return nil }
      let first = state.deadlines.values.map(\.time).min()
      state.nextWakeup = [first, acceptsAgain].compactMap { $0 }.min()
      guard let time = state.nextWakeup else { return -1 }
      let milliseconds = SuspendingClock.now.duration(to: time) / .milliseconds(1)
      return CInt(max(0, min(milliseconds.rounded(.up), 3_600_000)))
    }
  }

  /// Removes and returns the deadlines that have passed.
  private func passedDeadlines() -> [(Connection, Reason)] {
    state.withLock { state in
      if state.deadlines.isEmpty { return [] }
      let now = SuspendingClock.now
      let passed = state.deadlines.filter { $0.value.time <= now }
      for id in passed.keys { state.deadlines[id] = nil }
      return passed.compactMap { id, deadline in state.connections[id].map { ($0, deadline.reason) } }
    }
  }
}
