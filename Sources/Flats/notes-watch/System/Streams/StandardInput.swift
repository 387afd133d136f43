import Dispatch
import Glibc
import Sinks
import Streams
import Synchronization

/// Standard input, one line at a time.
///
/// It is read only on demand, so that a fast writer waits until its lines have been handled.
final class StandardInput: Sendable {
  // A read cannot be cancelled. It blocks a thread of this queue until the program ends.
  /// Queue: reads control lines when they are asked for. Blocks in `read`.
  private let queue = DispatchQueue(label: "standard input")
  /// Lock: guards the lines that were read and that nobody has asked for yet.
  private let buffer: Mutex<LineBuffer>

  /// - Parameter maxLine: the largest length of a line in bytes. A longer line is reported without
  ///   its content.
  init(maxLine: Int = LineBuffer.maxLength) {
    buffer = Mutex(LineBuffer(maxLength: maxLine))
  }

  /// Returns the next line; nil at the end of the input and after cancellation.
  ///
  /// Only one task may call it at a time.
  func nextLine() async -> ControlLine? {
    if let line = buffer.withLock({ $0.nextLine() }) { return line }
    let reply = Reply()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard reply.wait(continuation) else { return }
        queue.async { reply.resolve(self.readLine()) }
      }
    } onCancel: {
      reply.resolve(nil)
    }
  }

  /// Blocks until a line is complete or the input ends.
  private func readLine() -> ControlLine? {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let line = buffer.withLock({ $0.nextLine() }) { return line }
      let count = read(STDIN_FILENO, &room, room.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        poll(&input, 1, -1)
        continue
      }
      // An error ends the input, too.
      guard count > 0 else {
        return buffer.withLock { buffer in
          buffer.finish()
          return buffer.nextLine()
        }
      }
      buffer.withLock { $0.append(room[..<count]) }
    }
  }
}

/// The answer to one waiting task: the first of a line and a cancellation.
private final class Reply: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<ControlLine?, Never>)
    case resolved
  }

  /// Lock: guards the task that waits for a line.
  private let state = Mutex(State.open)

  /// Returns false if the answer came first; the continuation is then already resumed.
  func wait(_ continuation: CheckedContinuation<ControlLine?, Never>) -> Bool {
    let isOpen = state.withLock { state in
      guard case .open = state else { return false }
      state = .awaited(continuation)
      return true
    }
    if !isOpen { continuation.resume(returning: nil) }
    return isOpen
  }

  func resolve(_ line: ControlLine?) {
    let waiting = state.withLock { state in
      defer { state = .resolved }
      if case .awaited(let continuation) = state {
        return continuation as CheckedContinuation<ControlLine?, Never>?
      }
      return nil
    }
    waiting?.resume(returning: line)
  }
}
