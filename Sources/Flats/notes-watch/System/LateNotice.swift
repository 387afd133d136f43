import Files
import Synchronization
import Processes

/// A message on standard error, written once, about work that has printed nothing for a while.
final class LateNotice: Sendable {
  private let message: String
  private let delay: Duration
  private let write: @Sendable (String) -> Void
  private let isWritten = Atomic(false)

  init(
    _ message: String, after delay: Duration = .seconds(1),
    write: @escaping @Sendable (String) -> Void = { StandardError.reportLine($0) }
  ) {
    self.message = message
    self.delay = delay
    self.write = write
  }

  /// Waits until the alarm is cancelled. Nil once the message was written.
  func wait() -> Alarm? {
    if isWritten.load(ordering: .relaxed) { return nil }
    return Alarm(after: delay) { [self] in
      if !isWritten.exchange(true, ordering: .relaxed) { write(message) }
    }
  }
}
