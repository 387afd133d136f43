import Files
import Glibc

/// A message on standard error about work that has printed nothing for a second. There is one at a time.
///
/// The work may block in a read, so an alarm signal interrupts it: a thread would need a lock.
enum LateNotice {
  /// The line. It is made before the handler is set, which may only write it.
  nonisolated(unsafe) private static var line: UnsafeMutableBufferPointer<UInt8>?

  static func begin(_ message: String) {
    let bytes = Array("\(DisplayText.safe("notes-watch: \(message)"))\n".utf8)
    let line = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = line.initialize(fromContentsOf: bytes)
    LateNotice.line = line
    signal(SIGALRM) { _ in
      let error = errno
      if let line = LateNotice.line { _ = write(STDERR_FILENO, line.baseAddress, line.count) }
      signal(SIGALRM, SIG_IGN)
      errno = error
    }
    restart()
  }

  /// Waits again, after something was printed. The message is written once.
  static func restart() { alarm(1) }

  /// Ends the wait: something is printed now, or the work is done.
  static func stop() { alarm(0) }
}
