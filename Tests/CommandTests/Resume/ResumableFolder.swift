import Foundation
import TestSupport

/// A watched folder, and another one that holds the states of its consumers.
struct ResumableFolder: Sendable {
  let folder: TemporaryFolder
  let states: TemporaryFolder

  init(_ files: [String: String] = ["a.yaml": "k: 1\n", "b.yaml": "k: 1\n"]) throws {
    folder = try TemporaryFolder(files)
    states = try TemporaryFolder()
  }

  var environment: [String: String] { ["XDG_STATE_HOME": states.path] }

  /// The only state of the given name.
  func stateFile(_ name: String = "reader") async throws -> String {
    let paths = try await states.shell("ls notes-watch/*/\(name).sqlite").split(separator: "\n")
    guard let path = paths.first, paths.count == 1 else {
      throw Program.Timeout(description: "states: \(paths)")
    }
    return "\(states.path)/\(path)"
  }

  /// Starts a stream.
  func stream(_ options: String..., hasInput: Bool = false) throws -> WatchRun {
    try WatchRun(folder, options, environment: environment, hasInput: hasInput)
  }

  /// Starts a stream that remembers in the state `reader`.
  func reader(_ options: String..., hasInput: Bool = false) throws -> WatchRun {
    try WatchRun(folder, ["--state", "reader"] + options, environment: environment, hasInput: hasInput)
  }

  /// Starts a reader in a mount namespace of its own, after a shell command.
  func reader(afterMounting script: String, _ options: String...) throws -> WatchRun {
    let program = try Program(
      "/usr/bin/env",
      [
        "unshare", "-m", "--propagation", "private", "/bin/sh", "-c", "\(script) && exec \"$0\" \"$@\"",
        BuiltProgram.path, folder.path,
      ]
        + ["-o", "jsonl", "--state", "reader"] + options, environment: environment, folder: states.path)
    return WatchRun(folder, program)
  }

  /// Runs a reader to its end, with `--once`.
  func once(_ options: String..., status: CInt = 0) async throws -> [JSON] {
    let end = try await BuiltProgram.start(
      [folder.path, "-o", "jsonl", "--state", "reader", "--once"] + options, environment: environment
    ).end()
    guard end.status == .exited(status) else {
      throw Program.Timeout(description: "--once: \(end.status.map { "\($0)" } ?? "") \(end.errorText)")
    }
    return try end.output.split(separator: UInt8(ascii: "\n")).map { try JSON(Data($0)) }
  }

  func save(_ name: String, _ line: String) async throws { try await folder.replace("'\(name)'", with: line) }
}

extension WatchRun {
  /// Reads the `hello` of a stream that was resumed, and returns the line after it.
  func resume(after token: JSON) async throws -> (hello: JSON, next: JSON) {
    let hello = try await next()
    guard hello.type == "hello", hello.since == token else { throw UnexpectedLine(line: hello) }
    return (hello, try await next())
  }

  /// Reads the lines of a stream that could not be resumed, and returns the reason.
  func beginAgain() async throws -> (why: JSON, snapshot: JSON) {
    let hello = try await next()
    guard hello.type == "hello", hello.since == nil, hello.seq == nil else {
      throw UnexpectedLine(line: hello)
    }
    let error = try await next()
    guard error.type == "error", error.code == "gone", error.message.string?.isEmpty == false else {
      throw UnexpectedLine(line: error)
    }
    let snapshot = try await next()
    guard snapshot.type == "snapshot", snapshot.seq == 1 else { throw UnexpectedLine(line: snapshot) }
    return (error.why, snapshot)
  }

  /// Saves an item, and returns the update that follows.
  func save(_ name: String, _ line: String) async throws -> JSON {
    try await folder.replace("'\(name)'", with: line)
    let update = try await next()
    guard update.type == "update" else { throw UnexpectedLine(line: update) }
    return update
  }

  /// Kills the program at once, as a power cut does.
  func kill() async throws {
    program.signal(9)
    _ = try await program.end()
  }
}
