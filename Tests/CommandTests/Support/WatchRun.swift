import Synchronization

/// `notes-watch DIR -o jsonl` on a folder, and the lines that it prints, one after the other.
final class WatchedStream: Sendable {
  let folder: TemporaryFolder
  let program: Program
  private let taken = Mutex((lines: 0, sentinels: 0))

  /// - Parameter hasInput: whether control lines will be written to it.
  /// - Parameter root: what it watches, below the folder.
  init(_ folder: TemporaryFolder, _ arguments: [String] = [], hasInput: Bool = false, root: String = ".") throws {
    self.folder = folder
    program = try NotesWatch.start([root == "." ? folder.path : "\(folder.path)/\(root)", "-o", "jsonl"] + arguments, hasInput: hasInput)
  }

  /// The next line.
  func next() async throws -> JSON {
    let number = taken.withLock { $0.lines }
    let state = try await program.wait(until: "a line \(number + 1)") { $0.lineCount > number }
    taken.withLock { $0.lines += 1 }
    return try JSON(state.line(number))
  }

  /// Takes the `hello` and the snapshot, and gives the latter.
  @discardableResult
  func begin() async throws -> JSON {
    let hello = try await next()
    guard hello.type == "hello" else { throw Unexpected(line: hello) }
    let snapshot = try await next()
    guard snapshot.type == "snapshot" else { throw Unexpected(line: snapshot) }
    return snapshot
  }

  /// Runs a script in the folder; gives the lines that come of it, of which there must be so many and no more.
  ///
  /// That no more come is seen by a change of our own made after them: it must be the only one in the next update.
  func lines(_ count: Int, after script: String) async throws -> [JSON] {
    try await folder.shell(script)
    var lines: [JSON] = []
    for _ in 0..<count { lines.append(try await next()) }
    try await expectQuiet()
    return lines
  }

  /// The one update that comes of a script.
  func update(after script: String) async throws -> JSON {
    let line = try await lines(1, after: script)[0]
    guard line.type == "update" else { throw Unexpected(line: line) }
    return line
  }

  private func expectQuiet() async throws {
    let number = taken.withLock { taken in
      taken.sentinels += 1
      return taken.sentinels
    }
    let id = "~sentinel-\(number)"
    try await folder.replace("'\(id).yaml'", with: "sentinel: \(number)")
    let line = try await next()
    guard line.changes.list.count == 1, line.changes[0].op == "insert", line.changes[0].id == .string(id) else {
      throw Unexpected(line: line)
    }
  }

  struct Unexpected: Error, CustomStringConvertible {
    let line: JSON
    var description: String { "this line was not to come now: \(line)" }
  }
}

extension Program.State {
  var lineCount: Int { output.count { $0 == UInt8(ascii: "\n") } }

  func line(_ index: Int) -> ArraySlice<UInt8> {
    output.split(separator: UInt8(ascii: "\n"), maxSplits: index + 1, omittingEmptySubsequences: false)[index]
  }
}
