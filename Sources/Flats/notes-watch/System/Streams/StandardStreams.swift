import Files
import Glibc
import Streams
import SystemPackage

/// Standard output by `write(2)`. Each write is complete when it returns.
struct StandardOutput: ByteOutput {
  static func write(line: String) throws { try StandardOutput().write(Array("\(line)\n".utf8)) }

  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  static var columns: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  func write(_ bytes: [UInt8]) throws {
    do throws(Errno) { try FileDescriptor.standardOutput.write(all: bytes) } catch {
      throw Failure(writing: error)
    }
  }
}

/// For output that is printed once in small writes. What is not flushed when the program ends is lost.
struct BufferedOutput: ByteOutput {
  private var pending: [UInt8] = []

  mutating func write(_ bytes: [UInt8]) throws {
    pending += bytes
    if pending.count >= 1 << 16 { try flush() }
  }

  /// Writes sentences that may contain file names, and flushes.
  mutating func writeLines(_ lines: [String]) throws {
    for line in lines { try write(Array("\(DisplayText.safe(line))\n".utf8)) }
    try flush()
  }

  mutating func flush() throws {
    try StandardOutput().write(pending)
    pending.removeAll(keepingCapacity: true)
  }
}

/// For everything that is not data. Each write is one line. Only this names the program before a message.
enum StandardError {
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Makes the text safe for a terminal. A failed write is ignored: there is no other place to report it.
  static func report(_ text: String) {
    for line in "notes-watch: \(text)".split(separator: "\n", omittingEmptySubsequences: false) {
      write(line: String(line))
    }
  }

  /// Line breaks in the message are escaped, so that no file can forge a line.
  static func reportLine(_ text: String) { write(line: "notes-watch: \(text)") }

  static func report(notes: [String]) {
    for note in notes { reportLine(note) }
  }

  /// Writes a line for programs, or a complete message of another run of this program.
  static func write(line: String) {
    var text = DisplayText.safe(line) + "\n"
    text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
