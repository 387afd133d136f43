import Files
import Glibc
import Streams
import SystemPackage
import Values

/// Standard output by `write(2)`. Each write is complete when it returns. A reader that is gone is
/// an error that ends the program.
struct StandardOutput: ByteOutput {
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The width of the terminal in columns; nil if standard output is not a terminal.
  static var columns: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  func write(_ bytes: [UInt8]) throws {
    do throws(Errno) { try FileDescriptor.standardOutput.write(all: bytes) } catch {
      throw OutputError(error: error)
    }
  }
}

/// A failed write to standard output.
struct OutputError: Error, CustomStringConvertible {
  let error: Errno

  /// True if no program reads the output any more. This is not a failure: the program ends by
  /// SIGPIPE, as a shell expects.
  ///
  /// A socket also reports a reset connection.
  var isClosedPipe: Bool { error == .brokenPipe || error == .connectionReset }

  var description: String { "Standard output cannot be written: \(error.reason)." }
}

enum StandardStreams {
  /// True if standard error or standard output is a terminal.
  static var haveTerminal: Bool { StandardError.isTerminal || StandardOutput.isTerminal }

  /// Opens the standard streams that the parent closed, so that no other file gets their numbers
  /// and is read or written instead.
  ///
  /// Reading or writing such a stream still fails.
  static func reserve() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
      // `open` returns the lowest free number, which is this one.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// Standard error, for everything that is not data. Each write is one line. This is the one place
/// that names the program in front of a message.
enum StandardError {
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Writes a message of one or more lines, made safe for a terminal. A failed write is ignored,
  /// because there is no other place to report it.
  static func report(_ text: some StringProtocol) {
    for line in "notes-watch: \(text)".split(separator: "\n", omittingEmptySubsequences: false) {
      write(line: String(line))
    }
  }

  /// Writes a message of one line that may quote a file. Line breaks in it are escaped, so that no
  /// file can forge a line.
  static func reportLine(_ text: some StringProtocol) { write(line: "notes-watch: \(text)") }

  /// Writes sentences of this program, one per line.
  static func report(notes: [String]) {
    for note in notes { reportLine(note) }
  }

  /// Writes a line for programs, or a complete message of another run of this program.
  static func write(line: String) { writeText(DisplayText.safe(line) + "\n") }

  private static func writeText(_ text: String) {
    var text = text
    text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
