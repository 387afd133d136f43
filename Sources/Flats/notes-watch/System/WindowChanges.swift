import CLinux
import Glibc
import HTTPTransport

/// Changes of the size of the terminal.
enum WindowChanges {
  /// The event counter that the handler of SIGWINCH increments.
  nonisolated(unsafe) private static var counter: CInt = -1  // Written once, before the handler is set.

  /// The terminal of standard output, for a wait that also ends when its size changes; nil if the
  /// system has no event counter left.
  static var window: DaemonClient.Window? {
    // Any thread may get the signal, so that it doesn't interrupt the wait of another thread.
    counter = clinux_eventfd()
    guard counter >= 0 else { return nil }
    Glibc.signal(SIGWINCH) { _ in
      let error = errno
      var one: UInt64 = 1
      _ = write(WindowChanges.counter, &one, MemoryLayout<UInt64>.size)
      errno = error
    }
    return DaemonClient.Window(changes: counter) { StandardOutput.columns }
  }
}
