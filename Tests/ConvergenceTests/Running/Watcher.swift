import Foundation
import Glibc
import TestSupport

/// The running program and its stream, which is applied as it comes. Only one thread uses it.
final class Watcher {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let process: pid_t
  private(set) var stream = StreamReader()
  /// The updates since this was last emptied.
  var steps: [StreamReader.Step] = []
  /// The last lines, for a report.
  private(set) var lines: [String] = []
  private(set) var errors: [UInt8] = []
  private let spawned: Spawned
  private var rest: [UInt8] = []

  /// - Parameters:
  ///   - environment: variables beside the usual ones.
  ///   - hasInput: whether control lines will be written to it.
  init(_ runner: Runner, _ arguments: [String], environment: [String: String], hasInput: Bool) throws {
    let command = runner.command + arguments
    let usual = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    spawned = try Spawned(
      command[0], Array(command.dropFirst()), environment: usual.merging(environment) { $1 }, folder: "/",
      hasInput: hasInput)
    process = spawned.process
    for end in [spawned.output, spawned.error] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    kill(-process, SIGKILL)
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    for end in [spawned.output, spawned.error, spawned.input] where end >= 0 { close(end) }
  }

  /// Writes a control line, which fits into any pipe.
  func write(_ line: [UInt8]) throws {
    guard Glibc.write(spawned.input, line, line.count) == line.count else {
      throw Failure(description: "the program does not read a control line")
    }
  }

  func signal(_ signal: CInt) { kill(process, signal) }

  /// Reads what the program wrote.
  ///
  /// - Parameter milliseconds: the longest time to wait for the first byte.
  func read(within milliseconds: CInt) throws {
    var ends = [
      pollfd(fd: spawned.output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: spawned.error, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&ends, 2, milliseconds) > 0 else { return }
    errors += bytes(of: spawned.error).bytes
    let (new, isOver) = bytes(of: spawned.output)
    rest += new
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest[..<end]
      lines = lines.suffix(39) + [String(decoding: line.prefix(4_000), as: UTF8.self)]
      if let step = try stream.apply(line) { steps.append(step) }
      rest.removeSubrange(...end)
    }
    if isOver { throw Failure(description: "the program ended") }
  }

  private func bytes(of end: CInt) -> (bytes: [UInt8], isOver: Bool) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(end, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return (bytes, count == 0) }
      bytes += buffer[..<count]
    }
  }
}
