import Dispatch
import Glibc
import Store
import Streams
import SystemPackage
import Processes

extension ControlLine {
  /// Calls `body` with each line until the input ends or the task is cancelled. More is read only after
  /// that, so that a fast writer waits until its lines have been handled.
  static func forEachOfStandardInput(_ body: (ControlLine) async throws -> Void) async rethrows {
    let (lines, continuation) = AsyncStream<ControlLine>.makeStream()
    let isHandled = DispatchSemaphore(value: 0)
    // A read cannot be cancelled. It blocks its thread until the program ends.
    onOwnThread("standard input") {
      readLines { line in
        continuation.yield(line)
        isHandled.wait()
      }
      continuation.finish()
    }
    for await line in lines {
      try await body(line)
      isHandled.signal()
    }
  }

  private static func readLines(_ handle: (ControlLine) -> Void) {
    var buffer = LineBuffer()
    var room = [UInt8](repeating: 0, count: 1 << 16)
    var count = 1
    while count > 0 {
      count = read(STDIN_FILENO, &room, room.count)
      if count < 0, errno == EINTR || errno == EAGAIN {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        poll(&input, 1, -1)
        count = 1
        continue
      }
      // An error ends the input, too.
      if count > 0 { buffer.append(room[..<count]) } else { buffer.finish() }
      while let line = buffer.nextLine() { handle(line) }
    }
  }
}

/// Reads a file of the command line to its end, also a pipe; `-` is standard input. `limit` says, in the
/// message about a larger file, what the maximum is for.
func readInput(_ name: String, upTo maximum: Int, limit: String = "for an item") throws(Failure)
  -> [UInt8]
{
  let title = name == "-" ? "Standard input" : "The file \(name)"
  do throws(Errno) {
    let bytes: [UInt8]?
    if name == "-" {
      bytes = try FileDescriptor.standardInput.readAll(upTo: maximum)
    } else {
      let file = try Descriptor.open(name, O_RDONLY | O_NOCTTY)
      bytes = try withExtendedLifetime(file) { file throws(Errno) in
        try FileDescriptor(rawValue: file.raw).readAll(upTo: maximum)
      }
    }
    if let bytes { return bytes }
  } catch {
    throw Failure(.noInput, title, error, act: "read")
  }
  throw Failure(.noInput, "\(title) has more than \(maximum) bytes, the limit \(limit).")
}
