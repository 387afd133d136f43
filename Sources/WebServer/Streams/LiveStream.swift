import PlainStore
import Server
import Synchronization

/// One open stream, as other requests and the timer see it.
///
/// One lock guards what waits for the task of the stream. Nothing else is locked while it is held.
final class LiveStream: Sendable {
  private struct State {
    var requests: [RequestedViews] = []
    var needsHeartbeat = false
  }

  /// The work that waits for the task of a stream.
  enum Input: Sendable {
    /// Views to open, change or close.
    case views(RequestedViews)
    /// A comment is due.
    case heartbeat
  }

  /// The name of the stream, which cannot be guessed.
  let id: String
  /// The number of the stream.
  let number: UInt64
  /// The session of the client.
  let session: String
  private let wakeup: Wakeup
  private let state = Mutex(State())

  /// The number of requests that may wait while the client reads nothing.
  static let maxRequests = 64

  /// Makes a stream.
  init(number: UInt64, session: String, wakeup: Wakeup) {
    self.number = number
    self.session = session
    self.wakeup = wakeup
    var generator = SystemRandomNumberGenerator()
    id = String(generator.next(), radix: 36) + String(generator.next(), radix: 36)
  }

  /// Adds a request. Returns false if too many wait.
  func add(_ views: RequestedViews) -> Bool {
    let isAdded = state.withLock { state in
      guard state.requests.count < LiveStream.maxRequests else { return false }
      state.requests.append(views)
      return true
    }
    if isAdded { wakeup.signal() }
    return isAdded
  }

  /// Asks for a comment.
  func requestHeartbeat() {
    state.withLock { $0.needsHeartbeat = true }
    wakeup.signal()
  }

  /// Removes and returns what waits; nil if nothing does.
  func nextInput() -> Input? {
    state.withLock { state in
      if !state.requests.isEmpty { return .views(state.requests.removeFirst()) }
      defer { state.needsHeartbeat = false }
      return state.needsHeartbeat ? .heartbeat : nil
    }
  }
}
