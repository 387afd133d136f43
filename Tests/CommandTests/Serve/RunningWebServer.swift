import Foundation
import Glibc
import TestSupport

/// The program `notes-watch serve` with a copy of a folder, and a runtime folder of its own.
final class RunningWebServer {
  let folder: TemporaryFolder
  let program: Program
  /// The address of the page, without a slash at its end.
  let origin: String

  /// Starts a server on a free port.
  init(_ options: [String] = [], files: [String: String] = ["notes/ada.yaml": "name: Ada\n"]) async throws {
    folder = try TemporaryFolder(files)
    program = try BuiltProgram.start(
      ["serve", "notes", "--listen", "127.0.0.1:0"] + options, environment: ["XDG_RUNTIME_DIR": folder.path],
      in: folder.path)
    let state = try await program.wait(until: "an address") { $0.outputText.contains("\n") }
    origin = state.outputText.split(separator: "\n")[0].trimmingCharacters(in: ["/"])
  }

  /// The port.
  var port: Int { Int(origin.split(separator: ":").last ?? "") ?? 0 }

  /// The token of programs.
  func token() throws -> String {
    try String(decoding: folder.bytes(of: "notes-watch/serve-127.0.0.1-\(port).token"), as: UTF8.self)
      .trimmingCharacters(in: .newlines)
  }

  /// Runs curl, and returns what it prints.
  func curl(_ arguments: String) throws -> String {
    try folder.shell(
      "curl -sS --max-time 30 \(arguments.replacing("ORIGIN", with: origin).replacing("TOKEN", with: try token()))"
    )
  }

  /// Runs curl, and returns the status of the answer.
  func status(_ arguments: String) throws -> Int {
    Int(try curl("-o /dev/null -w '%{http_code}' \(arguments)")) ?? 0
  }

  /// Runs `serve --url`.
  func newURL() async throws -> Program.State {
    try await BuiltProgram.run(
      "serve", "--url", "--listen", "127.0.0.1:\(port)", environment: ["XDG_RUNTIME_DIR": folder.path],
      in: folder.path)
  }
}
