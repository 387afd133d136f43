import Dispatch
import Glibc

extension StandardOutput {
  /// Calls `body` once when nobody can read standard output any more, if it is a pipe or a socket. Writes nothing and causes no wake-ups until then.
  ///
  /// A pipe reports this as soon as its last reader has closed it. A socket reports it when the peer has closed both directions: a peer that only sends nothing
  /// more can still read. A TCP peer that vanished is noticed at the next write.
  static func whenReaderIsGone(_ body: @escaping @Sendable () -> Void) {
    guard let signs = signsOfClosing else { return }
    // `poll` blocks a thread of this queue, which ends with the program.
    DispatchQueue(label: "reader of standard output").async {
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while poll(&output, 1, -1) < 0 {
        // Without `poll` the next write notices.
        if errno != EINTR { return }
      }
      if CInt(output.revents) & signs != 0 { body() }
    }
  }

  /// The events by which `poll` reports that the reader is gone; nil if standard output has no reader that could go.
  private static var signsOfClosing: CInt? {
    var status = stat()
    guard fstat(STDOUT_FILENO, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFIFO: POLLERR
    case S_IFSOCK: POLLHUP
    default: nil
    }
  }
}
