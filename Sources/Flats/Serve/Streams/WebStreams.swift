import Files
import Git
import HTTPTypes
import Store
import Streams
import Synchronization

/// The open streams of a server, and what they share.
///
/// One lock guards the streams. Nothing else is locked while it is held.
package final class WebStreams: Sendable {
  private struct State {
    var streams: [String: LiveStream] = [:]
    var lastNumber: UInt64 = 0
    /// The timer of the next heartbeat; nil while no stream is open.
    var heartbeat: Alarm?
    /// True if the folder is closed.
    var isOver = false
  }

  /// The positions at which clients can continue.
  let positions = RecentPositions(maxEnded: WebStreams.maxEnded)
  /// The longest time that a client waits for others to continue.
  let resumingTimeout: Duration
  /// The reader of HEAD; nil if the folder is in no work tree.
  let head: HeadReader?
  private let memory = MemoryRelease()
  private let options: WebOptions
  /// Lock: guards the open streams of HTTP clients, and their timer.
  private let state = Mutex(State())

  /// The number of views of ended streams whose positions are kept: two streams with all their
  /// views.
  private static let maxEnded = 2 * RequestedViews.maxCount

  init(of folder: String, _ options: WebOptions) {
    self.options = options
    resumingTimeout = options.resumingTimeout
    head = HeadReader(above: folder)
  }

  /// The number of open streams.
  package var count: Int { state.withLock { $0.streams.count } }

  /// Opens a stream.
  ///
  /// - Parameters:
  ///   - session: The session of the client. No other one can change the stream.
  ///   - hasHeartbeat: True if the client wants comments while there is no news.
  ///   - wakeup: Wakes the task of the stream.
  /// - Throws: `ProblemDocument` (503) if there are too many, or if the folder is closed.
  func open(session: String, hasHeartbeat: Bool, waking wakeup: Wakeup) throws(ProblemDocument) -> LiveStream
  {
    let stream: LiveStream? = state.withLock { state in
      guard !state.isOver, state.streams.count < options.maxStreams else { return nil }
      state.lastNumber += 1
      let stream = LiveStream(
        number: state.lastNumber, session: session, hasHeartbeat: hasHeartbeat, wakeup: wakeup)
      state.streams[stream.id] = stream
      return stream
    }
    guard let stream else { throw tooMany }
    if hasHeartbeat { startHeartbeat() }
    return stream
  }

  /// Checks that there is room for a stream.
  ///
  /// - Throws: `ProblemDocument` (503) if there is none.
  func checkRoom() throws(ProblemDocument) { if count >= options.maxStreams { throw tooMany } }

  /// Closes a stream.
  func close(_ stream: LiveStream) {
    let (count, alarm): (Int, Alarm?) = state.withLock { state in
      state.streams[stream.id] = nil
      guard state.streams.isEmpty else { return (state.streams.count, nil) }
      defer { state.heartbeat = nil }
      return (0, state.heartbeat)
    }
    alarm?.cancel()
    stream.drop()
    memory.streamEnded(remaining: count)
  }

  /// Ends all streams, each after a complete line: the folder is closed.
  func end() {
    let streams = state.withLock { state in
      state.isOver = true
      return Array(state.streams.values)
    }
    for stream in streams { stream.end() }
  }

  /// Returns an open stream of a session; nil if there is none.
  func stream(_ id: String, session: String) -> LiveStream? {
    state.withLock { $0.streams[id] }.flatMap { $0.session == session ? $0 : nil }
  }

  /// Returns a number for a view that no other view has.
  func nextNumber() -> UInt64 {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  private var tooMany: ProblemDocument {
    ProblemDocument(
      .serviceUnavailable,
      "There are already \(options.maxStreams) streams, the limit. Close one, or try again later.",
      code: "too-many-streams", fields: [.retryAfter: "5"])
  }

  // MARK: Heartbeat

  /// Starts the one timer of all streams.
  private func startHeartbeat() {
    state.withLock { state in
      if state.heartbeat == nil, !state.streams.isEmpty { state.heartbeat = nextBeat() }
    }
  }

  private func nextBeat() -> Alarm { Alarm(after: options.heartbeat) { [weak self] in self?.beat() } }

  private func beat() {
    let streams: [LiveStream] = state.withLock { state in
      state.heartbeat = state.streams.values.contains(where: \.hasHeartbeat) ? nextBeat() : nil
      return Array(state.streams.values)
    }
    for stream in streams where stream.hasHeartbeat { stream.requestHeartbeat() }
  }
}
