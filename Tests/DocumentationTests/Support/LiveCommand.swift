import Glibc
import TestSupport

/// A running command whose output is read as it comes. It is killed with the last reference.
final class LiveCommand {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let command: String
  private let spawned: Spawned
  /// What was printed and not consumed yet.
  private var bytes: [UInt8] = []

  /// Starts a shell command in a folder, with both of its output streams in one.
  ///
  /// - Parameter isInTerminal: true if its output is a terminal; its standard input is then empty.
  init(_ command: String, in folder: String, environment: [String: String], isInTerminal: Bool) throws {
    self.command = command
    let arguments =
      isInTerminal
      ? DocumentedCommands.inTerminal("exec \(command)") : ["/bin/sh", "-c", "exec \(command) 2>&1"]
    spawned = try Spawned(
      arguments[0], Array(arguments.dropFirst()), environment: environment, folder: folder,
      hasInput: !isInTerminal)
  }

  deinit {
    kill(-spawned.process, SIGKILL)
    var status: CInt = 0
    while waitpid(spawned.process, &status, 0) < 0, errno == EINTR {}
    for descriptor in [spawned.input, spawned.output, spawned.error] where descriptor >= 0 {
      close(descriptor)
    }
  }

  /// The output that was not consumed yet.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Waits until the output that was not consumed yet ends a line and fulfils a condition, then consumes it.
  func consume(when condition: (String) -> Bool) throws {
    while bytes.last != UInt8(ascii: "\n") || !condition(text) { try readMore() }
    bytes = []
  }

  /// Waits for the next line and consumes it.
  func nextLine() throws -> String {
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        defer { bytes.removeFirst(end + 1) }
        return String(decoding: bytes[..<end], as: UTF8.self)
      }
      try readMore()
    }
  }

  func write(line: String) {
    let bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
    _ = bytes.withUnsafeBytes { Glibc.write(spawned.input, $0.baseAddress, $0.count) }
  }

  private func readMore() throws {
    var descriptor = pollfd(fd: spawned.output, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, CInt(40_000 * Patience.factor)) > 0 else { throw failure("nothing more came") }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(spawned.output, &buffer, buffer.count)
    guard count > 0 else { throw failure("it ended") }
    bytes += buffer[..<count]
  }

  private func failure(_ reason: String) -> Failure {
    Failure(description: "`\(command)`: \(reason) after this output:\n\(text)")
  }
}
