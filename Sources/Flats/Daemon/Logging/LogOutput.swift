import Files
import Glibc
import SystemPackage

/// Standard error as the place of log lines.
package enum LogOutput {
  /// Writes a line to standard error. A failure is ignored.
  package static func write(_ line: [UInt8]) { write(line, to: STDERR_FILENO) }

  /// Writes a line to a descriptor. A reader that is gone does not end the program: SIGPIPE is
  /// blocked for this thread, and consumed if the write caused it.
  package static func write(_ line: [UInt8], to descriptor: CInt) {
    var pipe = sigset_t()
    var before = sigset_t()
    var waiting = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    sigpending(&waiting)
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    do throws(Errno) {
      try FileDescriptor(rawValue: descriptor).write(all: line)
    } catch {
      var now = timespec()
      if error == .brokenPipe, sigismember(&waiting, SIGPIPE) == 0 { sigtimedwait(&pipe, nil, &now) }
    }
  }
}
