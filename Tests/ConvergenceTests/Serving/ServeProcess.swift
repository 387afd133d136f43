import Foundation
import Glibc
import TestSupport

/// A running `notes-watch serve`. It is killed with the last reference.
final class ServeProcess {
  let port: Int
  /// The token of programs.
  let token: String
  private let spawned: Spawned

  /// Starts a server on a free port, and waits until it has read the folder.
  ///
  /// - Parameters:
  ///   - arguments: The folder and the options.
  ///   - folder: A folder in which the program may create a file.
  init(_ runner: Runner, _ arguments: [String], environment: [String: String], in folder: String) throws {
    let file = "\(folder)/token"
    let command = runner.command + ["serve"] + arguments + ["--listen", "127.0.0.1:0", "--token-file", file]
    let usual = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "XDG_RUNTIME_DIR": folder]
    spawned = try Spawned(
      command[0], Array(command.dropFirst()), environment: usual.merging(environment) { $1 }, folder: "/",
      hasInput: false)
    let text = ServeProcess.firstLine(of: spawned.output)
    guard let port = text.firstMatch(of: /127\.0\.0\.1:([0-9]+)/).flatMap({ Int($0.1) }),
      let token = try? String(contentsOfFile: file, encoding: .utf8)
    else {
      _ = fcntl(spawned.error, F_SETFL, O_NONBLOCK)
      throw Watcher.Failure(
        description: "the server did not start: \(text) \(ServeProcess.firstLine(of: spawned.error))")
    }
    self.port = port
    self.token = token.trimmingCharacters(in: .newlines)
  }

  deinit {
    kill(-spawned.process, SIGKILL)
    var status: CInt = 0
    while waitpid(spawned.process, &status, 0) < 0, errno == EINTR {}
    for end in [spawned.output, spawned.error] { close(end) }
  }

  private static func firstLine(of end: CInt) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while Glibc.read(end, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
