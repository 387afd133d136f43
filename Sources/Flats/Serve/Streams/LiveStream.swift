import Files
import Store
import Synchronization
import Streams

/// One open stream, as other requests and the timer see it.
///
/// One lock guards what waits for the task of the stream. Nothing else is locked while it is held.
final class LiveStream: Sendable {
  private struct State {
    var requests: [(input: Input, size: Int)] = []
    var needsHeartbeat = false
    var isOver = false
  }

  /// The work that waits for the task of a stream.
  enum Input: Sendable {
    /// Views to open, change or close.
    case views(RequestedViews)
    /// Bytes of control lines. The latch is opened when their lines are answered.
    case control([UInt8], Latch)
    /// A comment is due.
    case heartbeat
  }

  /// The name of the stream, which cannot be guessed.
  let id: String
  /// The number of the stream.
  let number: UInt64
  /// The session of the client.
  let session: String
  /// True if its client wants comments while there is no news.
  let hasHeartbeat: Bool
  private let wakeup: Wakeup
  /// Lock: guards what waits for the task of a stream.
  private let state = Mutex(State())

  /// The number of requests that may wait while the client reads nothing.
  static let maxRequests = 64

  /// The bytes that they may have together. Their views take many times as much memory.
  static let maxRequestBytes = 1 << 18

  init(number: UInt64, session: String, hasHeartbeat: Bool, wakeup: Wakeup) {
    self.hasHeartbeat = hasHeartbeat
    self.number = number
    self.session = session
    self.wakeup = wakeup
    var generator = SystemRandomNumberGenerator()
    id = String(generator.next(), radix: 36) + String(generator.next(), radix: 36)
  }

  /// Adds a request. Returns false if too much waits.
  ///
  /// - Parameter size: The number of bytes of the request.
  func add(_ input: Input, size: Int) -> Bool {
    let isAdded = state.withLock { state in
      let bytes = state.requests.reduce(size) { $0 + $1.size }
      guard !state.isOver, state.requests.count < LiveStream.maxRequests, bytes <= LiveStream.maxRequestBytes
      else {
        return false
      }
      state.requests.append((input, size))
      return true
    }
    if isAdded { wakeup.signal() }
    return isAdded
  }

  /// True if the folder of the stream is closed.
  var isOver: Bool { state.withLock(\.isOver) }

  /// Ends the stream after a complete line.
  func end() {
    state.withLock { $0.isOver = true }
    wakeup.signal()
  }

  /// Lets go of the requests that nobody answers any more.
  func drop() {
    let requests = state.withLock { state in
      state.isOver = true
      defer { state.requests = [] }
      return state.requests
    }
    for case .control(_, let latch) in requests.map(\.input) { latch.open() }
  }

  /// Asks for a comment.
  func requestHeartbeat() {
    state.withLock { $0.needsHeartbeat = true }
    wakeup.signal()
  }

  /// Removes and returns what waits; nil if nothing does.
  func nextInput() -> Input? {
    state.withLock { state in
      if !state.requests.isEmpty { return state.requests.removeFirst().input }
      defer { state.needsHeartbeat = false }
      return state.needsHeartbeat ? .heartbeat : nil
    }
  }
}
