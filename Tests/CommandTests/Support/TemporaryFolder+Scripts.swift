import Foundation
import Glibc
import TestSupport

/// A folder of its own for one test, removed with the last reference. Not in the system's temporary folder, where vim writes otherwise than it does elsewhere.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/var/tmp/notes-watch-tests-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Files by their names, with their texts.
  convenience init(_ files: [String: String]) throws {
    try self.init()
    for (name, text) in files { try write(text, to: name) }
  }

  deinit {
    // Some tests take permissions away; some names are not UTF-8, which FileManager cannot remove.
    let removal = try? Spawned(
      "/bin/sh", ["-c", "chmod -R u+rwX \"$1\"; rm -rf \"$1\"", "sh", path], environment: [:], folder: "/", hasInput: false)
    if let removal {
      var status: CInt = 0
      while waitpid(removal.process, &status, 0) < 0, errno == EINTR {}
      close(removal.output)
      close(removal.error)
    }
  }

  /// Makes the folders on the way.
  func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  func write(_ bytes: [UInt8], to name: String) throws {
    let url = URL(fileURLWithPath: "\(path)/\(name)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  /// Puts a whole new file in the place of one, so that nothing in between can be seen.
  func replace(_ name: String, with line: String) async throws {
    try await shell("echo '\(line)' > .new; mv .new \(name)")
  }

  /// Runs a shell script in the folder and waits for it; throws where it fails. A git in it knows nobody's settings.
  @discardableResult
  func shell(_ script: String) async throws -> String {
    let git = [
      "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "n@example.org", "GIT_COMMITTER_NAME": "n",
      "GIT_COMMITTER_EMAIL": "n@example.org", "GIT_EDITOR": "true",
    ]
    let end = try await Program("/bin/sh", ["-ec", script], environment: git, folder: path).end()
    if end.status != .exited(0) { throw ScriptFailure(script: script, end: end) }
    return end.outputText
  }

  struct ScriptFailure: Error, CustomStringConvertible {
    let script: String
    let end: Program.State
    var description: String { "`\(script)` ended with \(end.status.map { "\($0)" } ?? "nothing"): \(end.outputText)\(end.errorText)" }
  }
}

/// What this machine has, for tests that need more than the package itself.
enum Machine {
  static func has(_ program: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  static let isRoot = geteuid() == 0
}
