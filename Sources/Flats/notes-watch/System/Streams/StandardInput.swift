import Dispatch
import Glibc
import Streams
import Synchronization

/// Standard input, one line at a time.
///
/// It is read only on demand, so that a fast writer waits until its lines have been handled.
final class StandardInput: Sendable {
  private typealias Reader = CheckedContinuation<ControlLine?, Never>

  private struct State {
    /// The lines that were read and that nobody has asked for yet.
    var buffer: LineBuffer
    /// The task that waits for a line.
    var reader: Reader?
  }

  // A read cannot be cancelled. It blocks a thread of this queue until the program ends.
  /// Queue: reads control lines when they are asked for. Blocks in `read`.
  private let queue = DispatchQueue(label: "standard input")
  /// Lock: guards the lines that were read and that nobody has asked for yet, and who waits for one.
  private let state: Mutex<State>

  /// - Parameter maxLine: the largest length of a line in bytes. A longer line is reported without
  ///   its content.
  init(maxLine: Int = LineBuffer.maxLength) {
    state = Mutex(State(buffer: LineBuffer(maxLength: maxLine)))
  }

  /// Returns the next line; nil at the end of the input and after cancellation.
  ///
  /// Only one task may call it at a time.
  func nextLine() async -> ControlLine? {
    if let line = state.withLock({ $0.buffer.nextLine() }) { return line }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        state.withLock { $0.reader = reader }
        // A cancellation before that found no reader.
        if Task.isCancelled { return resumeReader(with: nil) }
        queue.async { self.readLine() }
      }
    } onCancel: {
      resumeReader(with: nil)
    }
  }

  private func resumeReader(with line: ControlLine?) {
    state.withLock { exchange(&$0.reader, with: nil) }?.resume(returning: line)
  }

  /// Blocks until a line is complete, the input ends, or nobody waits any more.
  private func readLine() {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while !passLine() {
      let count = read(STDIN_FILENO, &room, room.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        poll(&input, 1, -1)
        continue
      }
      // An error ends the input, too.
      if count <= 0 {
        state.withLock { $0.buffer.finish() }
        if !passLine() { resumeReader(with: nil) }
        return
      }
      state.withLock { $0.buffer.append(room[..<count]) }
    }
  }

  /// Gives the waiting task the next line. Returns false if it waits and there is no line.
  private func passLine() -> Bool {
    let (reader, line) = state.withLock { state -> (Reader?, ControlLine?) in
      guard state.reader != nil, let line = state.buffer.nextLine() else { return (state.reader, nil) }
      return (exchange(&state.reader, with: nil), line)
    }
    guard let line else { return reader == nil }
    reader?.resume(returning: line)
    return true
  }
}
