import Glibc
import LinuxFiles
import PlainText
import Sinks
import SystemPackage

/// Standard output by `write(2)`: each write goes out at once and whole, and a reader that is gone is an error that ends the program.
struct StandardOutput: ByteOutput {
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The width of the terminal in columns; nil where there is none.
  static var columns: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  func write(_ bytes: [UInt8]) throws {
    do throws(Errno) { try FileDescriptor.standardOutput.write(all: bytes) } catch { throw OutputError(error: error) }
  }
}

/// Standard output cannot be written to.
struct OutputError: Error, CustomStringConvertible {
  let error: Errno

  /// True if nobody reads it any more, which is no failure: the program ends as the shell expects. A socket also reports a reset connection.
  var isClosedPipe: Bool { error == .brokenPipe || error == .connectionReset }

  var description: String { "Standard output cannot be written to: \(error.reason)." }
}

enum StandardStreams {
  /// Whether a person may be looking.
  static var haveTerminal: Bool { StandardError.isTerminal || StandardOutput.isTerminal }

  /// Opens the standard streams that the parent closed, so that no other file gets their numbers and is read or written in their place. Using one still fails.
  static func reserve() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
      // The lowest number that is free is this one.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// Standard error: everything that is no data, a line at a time.
enum StandardError {
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// A sentence, or several lines, made safe for a terminal. What does not go out is lost: there is nowhere left to say so.
  static func write(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { writeLine(String(line)) }
  }

  /// What quotes a file: a line break in it is shown, so that no file can write a line of its own.
  static func writeLine(_ text: String) { writeText(DisplayText.safe(text) + "\n") }

  /// A question, whose answer is typed behind it.
  static func prompt(_ text: String) { writeText(DisplayText.safe(text)) }

  private static func writeText(_ text: String) {
    var text = text
    text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
