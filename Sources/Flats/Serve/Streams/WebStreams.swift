import CLinux
import Git
import HTTPTypes
import Store
import Streams
import Synchronization
import Processes

/// One open stream, as its task knows it.
struct LiveStream {
  enum Input {
    case views(RequestedViews)
    /// Bytes of control lines. The latch is opened when their lines are answered.
    case control([UInt8], Latch)
    case heartbeat
  }

  /// The name of the stream, which cannot be guessed.
  let id: String
  let number: UInt64
  let session: String
  /// True if its client wants comments while there is no news.
  let hasHeartbeat: Bool
  let wakeup: Wakeup
}

/// The open streams of a server, what waits for their tasks, and what they share. It also has the
/// list that the stream of a page will open.
package final class WebStreams: Sendable {
  private struct OpenStream {
    let stream: LiveStream
    var requests: [(input: LiveStream.Input, size: Int)] = []
    var needsHeartbeat = false
  }

  private struct State {
    var streams: [String: OpenStream] = [:]
    var lastNumber: UInt64 = 0
    /// The timer of the next heartbeat; nil while no stream is open.
    var heartbeat: Alarm?
    /// The streams that ended since memory was given back.
    var ended = 0
    /// Gives memory back; nil if that is not planned.
    var release: Alarm?
    var isOver = false
    /// The list that a page will open, and the timer that forgets it.
    var prepared: (results: LiveList<Item>?, end: Alarm?)
    var isPreparing = false
  }

  let positions = RecentPositions(maxEnded: WebStreams.maxEnded)
  /// The reader of HEAD; nil if the folder is in no work tree.
  let head: HeadReader?
  private let options: WebOptions
  private let releaseDelay: Duration
  private let releaseMemory: @Sendable () -> Void
  /// Lock: guards the open streams of HTTP clients, what waits for their tasks, their timers, and the
  /// list of the next one. Nothing else is locked under it.
  private let state = Mutex(State())

  /// The number of views of ended streams whose positions are kept: two streams with all their views.
  private static let maxEnded = 2 * RequestedViews.maxCount
  /// The number of requests that may wait for a stream while its client reads nothing.
  private static let maxRequests = 64
  /// The bytes that they may have together. Their views take many times as much memory.
  static let maxRequestBytes = 1 << 18
  /// With fewer ended streams there is little memory to give back.
  static let minEnded = 32

  /// Further streams can end within `releaseDelay` before memory is given back, which takes some milliseconds
  /// per 100 MB. The C library keeps freed memory between blocks in use: with streams that come and go,
  /// several times as much as is in use.
  init(
    of folder: String, _ options: WebOptions, releasingAfter releaseDelay: Duration = .seconds(2),
    _ releaseMemory: @escaping @Sendable () -> Void = { clinux_trim_memory() }
  ) {
    self.options = options
    self.releaseDelay = releaseDelay
    self.releaseMemory = releaseMemory
    head = HeadReader(above: folder)
  }

  package var count: Int { state.withLock { $0.streams.count } }

  var isOver: Bool { state.withLock(\.isOver) }

  /// Opens a stream that no other session can change: 503 if there are too many, or if the folder is closed.
  /// With `hasHeartbeat` the client gets comments while there is no news.
  func open(session: String, hasHeartbeat: Bool, waking wakeup: Wakeup) throws(ProblemDocument) -> LiveStream
  {
    var generator = SystemRandomNumberGenerator()
    let id = String(generator.next(), radix: 36) + String(generator.next(), radix: 36)
    let stream: LiveStream? = state.withLock { state in
      guard !state.isOver, state.streams.count < options.maxStreams else { return nil }
      state.lastNumber += 1
      let stream = LiveStream(
        id: id, number: state.lastNumber, session: session, hasHeartbeat: hasHeartbeat, wakeup: wakeup)
      state.streams[id] = OpenStream(stream: stream)
      // One timer for all streams.
      if hasHeartbeat, state.heartbeat == nil { state.heartbeat = nextBeat() }
      return stream
    }
    guard let stream else { throw tooMany }
    return stream
  }

  /// Refuses with 503 if there are too many streams.
  func checkRoom() throws(ProblemDocument) { if count >= options.maxStreams { throw tooMany } }

  /// Closes a stream, and lets go of the requests that nobody answers any more. If as many streams
  /// have ended as remain, memory is given back soon.
  func close(_ stream: LiveStream) {
    let (requests, heartbeat): ([(input: LiveStream.Input, size: Int)], Alarm?) = state.withLock { state in
      let requests = state.streams.removeValue(forKey: stream.id)?.requests ?? []
      state.ended += 1
      if state.release == nil, state.ended >= max(WebStreams.minEnded, state.streams.count) {
        state.release = Alarm(after: releaseDelay) { [weak self] in self?.finishRelease() }
      }
      guard state.streams.isEmpty else { return (requests, nil) }
      defer { state.heartbeat = nil }
      return (requests, state.heartbeat)
    }
    heartbeat?.cancel()
    for case .control(_, let latch) in requests.map(\.input) { latch.open() }
  }

  private func finishRelease() {
    let alarm = state.withLock { state in
      defer {
        state.ended = 0
        state.release = nil
      }
      return state.release
    }
    withExtendedLifetime(alarm) { releaseMemory() }
  }

  /// Ends all streams, each after a complete line: the folder is closed.
  func end() {
    let streams = state.withLock { state in
      state.isOver = true
      return state.streams.values.map(\.stream)
    }
    for stream in streams { stream.wakeup.signal() }
  }

  /// Adds a request to a stream: 404 if the session has no such stream, 429 if too much waits.
  func add(_ input: LiveStream.Input, size: Int, to id: String, session: String) throws(ProblemDocument) {
    let wakeup = try state.withLock { state throws(ProblemDocument) in
      guard let open = state.streams[id], open.stream.session == session else {
        throw ProblemDocument(
          .notFound, "There is no stream with this id. It has ended; open it again with GET /stream.",
          code: "unknown-stream")
      }
      guard !state.isOver, open.requests.count < WebStreams.maxRequests,
        open.requests.reduce(size, { $0 + $1.size }) <= WebStreams.maxRequestBytes
      else {
        throw ProblemDocument(
          .tooManyRequests,
          "Too many changes of this stream are waiting already, at most \(WebStreams.maxRequests). Read "
            + "its answers first.",
          fields: [.retryAfter: "1"])
      }
      state.streams[id]?.requests.append((input, size))
      return open.stream.wakeup
    }
    wakeup.signal()
  }

  /// Removes and returns what waits for the task of a stream; nil if nothing does.
  func nextInput(of stream: LiveStream) -> LiveStream.Input? {
    state.withLock { state in
      guard let open = state.streams[stream.id] else { return nil }
      if !open.requests.isEmpty { return state.streams[stream.id]?.requests.removeFirst().input }
      if open.needsHeartbeat { state.streams[stream.id]?.needsHeartbeat = false }
      return open.needsHeartbeat ? .heartbeat : nil
    }
  }

  func nextNumber() -> UInt64 {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  private var tooMany: ProblemDocument {
    .unavailable(
      "There are already \(options.maxStreams) streams, the limit. Close one, or try again later.",
      code: "too-many-streams", after: 5)
  }

  // MARK: Heartbeat

  private func nextBeat() -> Alarm { Alarm(after: options.heartbeat) { [weak self] in self?.beat() } }

  private func beat() {
    let streams = state.withLock { state in
      let streams = state.streams.values.map(\.stream).filter(\.hasHeartbeat)
      for stream in streams { state.streams[stream.id]?.needsHeartbeat = true }
      state.heartbeat = streams.isEmpty ? nil : nextBeat()
      return streams
    }
    for stream in streams { stream.wakeup.signal() }
  }

  // MARK: The list of a page

  /// The time for which the list of a page is kept.
  private static let preparedTime = Duration.seconds(5)

  /// The request of the list that a page will open; nil if there is none.
  var preparedRequest: FetchRequest? { state.withLock { $0.prepared.results }?.request }

  /// Makes the list of the page that was asked for last, while the browser loads the page, unless one
  /// is being made. It is kept until the page had time to open it, which then shares its rows.
  func prepareList(_ parameters: ViewParameters, of store: ItemStore, on executor: QueueExecutor) {
    let isBusy = state.withLock { state in
      defer { state.isPreparing = true }
      return state.isPreparing
    }
    if isBusy { return }
    Task(executorPreference: executor) { [weak self] in
      // The page shows a mistake in the view.
      let results = try? store.list(OpenedView.resolver(parameters))
      self?.keep(
        results, until: Alarm(after: WebStreams.preparedTime) { [weak self] in self?.keep(nil, until: nil) })
    }
  }

  /// Keeps another list. The last one is released outside of the lock.
  private func keep(_ results: LiveList<Item>?, until end: Alarm?) {
    let last = state.withLock { state in
      defer {
        state.prepared = (results, end)
        state.isPreparing = end == nil && state.isPreparing
      }
      return state.prepared
    }
    withExtendedLifetime(last) {}
  }
}
