import Dispatch
import Files
import Glibc
import SystemPackage

/// The standard input of a run: a pipe that the command may leave unread.
///
/// Writing blocks a thread of the input's own queue. The pipe is non-blocking on our side only, so
/// that a write can be interrupted when the run has ended, while another process keeps the reading
/// end open.
final class CommandInput: Sendable {
  /// Queue: writes to a command that may not read. Blocks in `write`, `poll`.
  private let queue = DispatchQueue(label: "input of a run")
  /// The reading end, for the child. To be closed as soon as the child runs.
  let child: PipeEnd
  /// The writing end. Only the queue closes it.
  private let own: PipeEnd
  private let interruption: EventCounter

  init() throws(Errno) {
    interruption = EventCounter()
    if interruption.raw < 0 { throw .current }
    (child, own) = try PipeEnd.makePipe()
    own.makeNonBlocking()
  }

  /// Writes bytes after those of earlier calls.
  ///
  /// - Returns: False if the command cannot read all of them: it closed its input, or the input was
  ///   finished or interrupted.
  func write(_ bytes: [UInt8]) async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.writeNow(bytes)) }
    }
  }

  func finish() {
    queue.async { self.own.close() }
  }

  /// Ends a blocked write, makes later ones fail, and closes the pipe.
  func interrupt() {
    interruption.signal()
    finish()
  }

  private func writeNow(_ bytes: [UInt8]) -> Bool {
    // The queue alone closes the pipe, so it stays open during this call.
    guard own.isOpen else { return false }
    var start = 0
    while start < bytes.count {
      let count = retryOnInterrupt {
        bytes.withUnsafeBytes { bytes in
          // The command may end without reading.
          withoutSIGPIPE { Glibc.write(own.raw, bytes.baseAddress.map { $0 + start }, bytes.count - start) }
        }
      }
      if count >= 0 {
        start += count
      } else if errno != EAGAIN || !waitForSpace() {
        return false
      }
    }
    return true
  }

  private func waitForSpace() -> Bool {
    var requests = [
      pollfd(fd: own.raw, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: interruption.raw, events: Int16(POLLIN), revents: 0),
    ]
    let count = retryOnInterrupt { poll(&requests, 2, -1) }
    return count > 0 && requests[1].revents == 0
  }
}
