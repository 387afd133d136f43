import Files
import Glibc
import SystemPackage
import Processes

/// The standard input of a run: a pipe that the command may leave unread.
///
/// Only the task that writes to it, which blocks, may close it. The pipe is non-blocking on our side
/// only, so that a write can be interrupted when the run has ended, while another process keeps the
/// reading end open.
final class CommandInput: Sendable {
  /// The reading end, for the child. To be closed as soon as the child runs.
  let child: PipeEnd
  private let own: PipeEnd
  private let interruption: EventCounter

  init() throws(Errno) {
    interruption = EventCounter()
    if interruption.raw < 0 { throw .current }
    (child, own) = try PipeEnd.makePipe()
    own.makeNonBlocking()
  }

  /// Writes bytes after those of earlier calls; false if the command closed its input before it has all
  /// of them, or if the input was interrupted.
  func write(_ bytes: [UInt8]) -> Bool {
    var start = 0
    while start < bytes.count, waitForSpace() {
      let count = retryOnInterrupt {
        bytes.withUnsafeBytes { bytes in
          // The command may end without reading.
          withoutSIGPIPE { Glibc.write(own.raw, bytes.baseAddress.map { $0 + start }, bytes.count - start) }
        }
      }
      if count < 0, errno != EAGAIN { return false }
      start += max(0, count)
    }
    return start == bytes.count
  }

  func finish() { own.close() }

  /// Ends a blocked write, and makes later ones fail.
  func interrupt() { interruption.signal() }

  private func waitForSpace() -> Bool {
    var requests = [
      pollfd(fd: own.raw, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: interruption.raw, events: Int16(POLLIN), revents: 0),
    ]
    let count = retryOnInterrupt { poll(&requests, 2, -1) }
    return count > 0 && requests[1].revents == 0
  }
}
