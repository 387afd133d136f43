import Dispatch
import Glibc
import Sinks
import Synchronization

/// Standard input, a line at a time. Nothing is read before it is asked for, so that whoever writes faster than the lines are worked off waits.
final class StandardInput: Sendable {
  // A read cannot be cancelled: it blocks a thread of this queue, which the end of the program ends.
  private let queue = DispatchQueue(label: "standard input")
  private let buffer: Mutex<LineBuffer>

  /// - Parameter longestLine: in bytes; of a longer line nothing is kept but that it was there.
  init(longestLine: Int = LineBuffer.maxLength) {
    buffer = Mutex(LineBuffer(maxLength: longestLine))
  }

  /// Nil at the end of the input, and when the task is cancelled. One task at a time.
  func nextLine() async -> ControlLine? {
    if let line = buffer.withLock({ $0.nextLine() }) { return line }
    let reply = Reply()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard reply.await(continuation) else { return }
        queue.async { reply.give(self.readLine()) }
      }
    } onCancel: {
      reply.give(nil)
    }
  }

  /// Blocks until there is a line or the input ends.
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
      // What cannot be read ends the input as its end does.
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

/// What is given to one who waits, by whoever comes first.
private final class Reply: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<ControlLine?, Never>)
    case given
  }

  private let state = Mutex(State.open)

  /// False where the reply was given before, and the continuation is resumed already.
  func await(_ continuation: CheckedContinuation<ControlLine?, Never>) -> Bool {
    let isOpen = state.withLock { state in
      guard case .open = state else { return false }
      state = .awaited(continuation)
      return true
    }
    if !isOpen { continuation.resume(returning: nil) }
    return isOpen
  }

  func give(_ line: ControlLine?) {
    let waiting = state.withLock { state in
      defer { state = .given }
      if case .awaited(let continuation) = state { return continuation as CheckedContinuation<ControlLine?, Never>? }
      return nil
    }
    waiting?.resume(returning: line)
  }
}
