import Synchronization
import TestSupport

/// A running `notes-watch DIR -o jsonl`, whose lines a test awaits one after the other.
final class WatchRun: Sendable {
  let folder: TemporaryFolder
  let program: Program
  private let progress = Mutex((lines: 0, sentinels: 0))

  /// - Parameters:
  ///   - hasInput: whether the test will write control lines.
  ///   - root: the watched folder, below `folder`.
  init(
    _ folder: TemporaryFolder, _ arguments: [String] = [], environment: [String: String] = [:],
    hasInput: Bool = false, root: String = "."
  ) throws {
    self.folder = folder
    program = try BuiltProgram.start(
      [root == "." ? folder.path : "\(folder.path)/\(root)", "-o", "jsonl"] + arguments,
      environment: environment, hasInput: hasInput)
  }

  init(_ folder: TemporaryFolder, _ program: Program) {
    self.folder = folder
    self.program = program
  }

  /// Returns the next line.
  func next() async throws -> JSON { try JSON(try await nextLine()) }

  /// Returns the bytes of the next line, without its line break.
  func nextLine() async throws -> ArraySlice<UInt8> {
    let number = progress.withLock { $0.lines }
    let state = try await program.wait(until: "a line \(number + 1)") { $0.lineCount > number }
    progress.withLock { $0.lines += 1 }
    return state.line(number)
  }

  /// Reads the `hello` and the snapshot, and returns the snapshot.
  @discardableResult
  func begin() async throws -> JSON {
    let hello = try await next()
    guard hello.type == "hello" else { throw UnexpectedLine(line: hello) }
    let snapshot = try await next()
    guard snapshot.type == "snapshot" else { throw UnexpectedLine(line: snapshot) }
    return snapshot
  }

  /// Runs a script in the folder, and returns the lines that it causes.
  ///
  /// The test's own change after them shows that no other line follows: it must be the only one in
  /// the next update.
  ///
  /// - Parameter count: the exact number of lines.
  func lines(_ count: Int, after script: String) async throws -> [JSON] {
    try await folder.shell(script)
    var lines: [JSON] = []
    for _ in 0..<count { lines.append(try await next()) }
    try await expectQuiet()
    return lines
  }

  /// Returns the one update that a script causes.
  func update(after script: String) async throws -> JSON {
    let line = try await lines(1, after: script)[0]
    guard line.type == "update" else { throw UnexpectedLine(line: line) }
    return line
  }

  private func expectQuiet() async throws {
    let number = progress.withLock { progress in
      progress.sentinels += 1
      return progress.sentinels
    }
    let id = "~sentinel-\(number)"
    try await folder.replace("'\(id).yaml'", with: "sentinel: \(number)")
    let line = try await next()
    guard line.changes.list.count == 1, line.changes[0].op == "insert", line.changes[0].id == .string(id)
    else {
      throw UnexpectedLine(line: line)
    }
  }

  struct UnexpectedLine: Error, CustomStringConvertible {
    let line: JSON
    var description: String { "expected another line than this: \(line)" }
  }
}
