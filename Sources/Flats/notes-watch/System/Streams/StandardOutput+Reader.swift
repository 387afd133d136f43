import CLinux
import Glibc
import HTTPTransport

extension StandardOutput {
  /// Calls `body` once when no program can read standard output any more; nothing wakes up until then.
  ///
  /// Only for pipes and sockets. A pipe reports it as soon as its last reader has closed it, a socket when
  /// the peer has closed both directions, because a peer that has stopped sending can still read. A TCP peer
  /// that vanished is noticed at the next write.
  static func whenReaderIsGone(_ body: @escaping @Sendable () -> Void) {
    guard let events = closingEvents else { return }
    onOwnThread("reader of standard output") {
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while poll(&output, 1, -1) < 0 {
        // If `poll` fails, the next write reports the closed pipe.
        if errno != EINTR { return }
      }
      if CInt(output.revents) & events != 0 { body() }
    }
  }

  /// For a wait that also ends when the reader is gone; nil if no other program reads standard output.
  static var reader: DaemonClient.OutputReader? {
    closingEvents.map { DaemonClient.OutputReader(descriptor: STDOUT_FILENO, events: $0) }
  }

  /// The event counter that the handler of SIGWINCH increments.
  nonisolated(unsafe) private static var changes: CInt = -1  // Written once, before the handler is set.

  /// For a wait that also ends when the terminal's size changes; nil if the system has no event counter left.
  static var window: DaemonClient.Window? {
    // Any thread may get the signal, so that it doesn't interrupt the wait of another thread.
    changes = clinux_eventfd()
    guard changes >= 0 else { return nil }
    Glibc.signal(SIGWINCH) { _ in
      let error = errno
      var one: UInt64 = 1
      _ = Glibc.write(StandardOutput.changes, &one, MemoryLayout<UInt64>.size)
      errno = error
    }
    return DaemonClient.Window(changes: changes) { StandardOutput.columns }
  }

  /// The events by which `poll` reports that the reader is gone; nil if no other program reads.
  private static var closingEvents: CInt? {
    var status = stat()
    guard fstat(STDOUT_FILENO, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFIFO: POLLERR
    case S_IFSOCK: POLLHUP
    default: nil
    }
  }
}
