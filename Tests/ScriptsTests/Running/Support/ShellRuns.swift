import Files
import Glibc
import Synchronization
import TestSupport
import Processes

@testable import Scripts

/// Runs of shell scripts in a temporary folder. A script writes what it sees to files there.
struct ShellRuns {
  let folder: TemporaryFolder
  let runner: CommandRunner
  private let written = Shared<[(stream: CommandLaunch.Stream, bytes: [UInt8])]>([])

  /// - Parameter script: The script. `$0` is the folder.
  init(
    _ script: String, output: CommandLaunch.Stream = .standardOutput, label: String? = nil,
    grace: Duration = .seconds(2)
  ) throws {
    folder = try TemporaryFolder()
    let launch = CommandLaunch(
      ["/bin/sh", "-c", "cd \"$0\" || exit 99; \(script)", folder.path], output: output, label: label,
      grace: grace)
    let written = written
    runner = CommandRunner(launch, ProcessGroups(ShellRuns.childProcesses)) { stream, bytes in
      written.withLock { $0.append((stream, bytes)) }
    }
  }

  /// Other tests in this process have children, too. These must stay theirs.
  static var childProcesses: ChildProcesses { ChildProcesses(nextEnded: { _ in nil }) }

  /// The text that the runner has passed on to a stream.
  func output(_ stream: CommandLaunch.Stream = .standardOutput) -> String {
    String(decoding: written.withLock { $0 }.filter { $0.stream == stream }.flatMap(\.bytes), as: UTF8.self)
  }

  /// Returns the text of a file that the script wrote, without the last line break.
  func text(_ name: String) -> String? {
    guard let file = fopen("\(folder.path)/\(name)", "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits until a script has written a file completely: scripts write to `.name` and rename it.
  func wait(for name: String) async throws -> String {
    try await waitUntil("\(name) is written") { text(name) != nil }
    return text(name) ?? ""
  }

  /// The numbers in a file, which a script wrote with `echo`.
  func processes(_ name: String) -> [pid_t] {
    (text(name) ?? "").split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
  }
}

/// A value that a test shares with closures.
final class Shared<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }

  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { value in body(&value) }
  }
}

/// Waits for a condition, and fails after a while.
func waitUntil(_ condition: String, within limit: Duration = .seconds(20), _ isTrue: () -> Bool) async throws
{
  let deadline = ContinuousClock.now + limit * Patience.factor
  while !isTrue() {
    if ContinuousClock.now > deadline { throw Timeout(condition: condition) }
    await Alarm.wait(for: .milliseconds(5))
  }
}

private struct Timeout: Error, CustomStringConvertible {
  let condition: String
  var description: String { "waited in vain until \(condition)" }
}

/// Returns the state letter of a process as `/proc` shows it; nil if there is no such process.
func processState(_ process: pid_t) -> Character? {
  guard let file = fopen("/proc/\(process)/stat", "r") else { return nil }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 1024)
  guard fgets(&line, CInt(line.count), file) != nil else { return nil }
  let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  return text.split(separator: ")").last?.split(separator: " ").first?.first
}

/// The number of descriptors that this process has open.
var openDescriptors: Int {
  guard let folder = opendir("/proc/self/fd") else { return -1 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  return count
}
