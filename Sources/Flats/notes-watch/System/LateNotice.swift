import Dispatch
import Synchronization

/// A message on standard error about work that has printed nothing for a while.
final class LateNotice: Sendable {
  private let message: String
  private let delay: DispatchTimeInterval
  private let write: @Sendable (String) -> Void
  /// Queue: reports what a command is doing once it has been silent for a second.
  private let queue = DispatchQueue(label: "late notice")
  /// Lock: guards which wait is the current one, and whether the message was written.
  private let state = Mutex(State())

  private struct State {
    /// The number of the current wait; nil while nothing is waited for.
    var wait: Int?
    var count = 0
    var isWritten = false
  }

  /// Starts to wait.
  ///
  /// - Parameters:
  ///   - message: A sentence, which is written once.
  ///   - delay: How long the work may be silent.
  ///   - write: Writes the message.
  init(
    _ message: String, after delay: DispatchTimeInterval = .seconds(1),
    write: @escaping @Sendable (String) -> Void = { StandardError.reportLine($0) }
  ) {
    (self.message, self.delay, self.write) = (message, delay, write)
    start()
  }

  /// Waits again, after something was printed.
  func start() {
    let wait: Int? = state.withLock { state in
      if state.isWritten { return nil }
      state.count += 1
      state.wait = state.count
      return state.count
    }
    guard let wait else { return }
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in self?.end(wait) }
  }

  /// Ends the wait: something is printed now, or the work is done.
  func stop() { state.withLock { $0.wait = nil } }

  private func end(_ wait: Int) {
    let isLate = state.withLock { state in
      if state.wait != wait || state.isWritten { return false }
      state.isWritten = true
      return true
    }
    if isLate { write(message) }
  }
}
