import Files
import Glibc

/// The lines of a descriptor, as they come. It never blocks: read it when it is readable.
struct LinearInput {
  /// The largest number of bytes of a line. Longer ones are dropped.
  private static let maxLine = 1 << 20

  let descriptor: CInt
  private(set) var isOver = false
  private var rest: [UInt8] = []
  private var isTooLong = false

  init(_ descriptor: CInt) { self.descriptor = descriptor }

  /// Reads what is there, and returns the complete lines, and at the end the last one.
  mutating func lines() -> [String] {
    var lines: [String] = []
    while !isOver, isReadable {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { break }
      if count <= 0 {
        isOver = true
        if !rest.isEmpty { lines.append(take()) }
        break
      }
      for byte in buffer[..<count] {
        if byte == UInt8(ascii: "\n") { lines.append(take()) } else { append(byte) }
      }
    }
    return lines
  }

  private var isReadable: Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) > 0
  }

  private mutating func append(_ byte: UInt8) {
    if rest.count < LinearInput.maxLine { rest.append(byte) } else { isTooLong = true }
  }

  /// Takes the line that is complete. One that was too long, or is not UTF-8, becomes an unknown
  /// command: none is cut or changed.
  private mutating func take() -> String {
    defer {
      rest = []
      isTooLong = false
    }
    if isTooLong { return "line-longer-than-\(LinearInput.maxLine)-bytes" }
    return String(validating: rest, as: UTF8.self) ?? "line-that-is-not-UTF-8"
  }
}
