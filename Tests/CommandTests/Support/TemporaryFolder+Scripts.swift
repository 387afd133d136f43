import TestSupport

/// Scripts of tests that run other programs at the same time: waiting for a script blocks no
/// thread, and ends after a while.
extension TemporaryFolder {
  struct ScriptFailure: Error, CustomStringConvertible {
    let script: String
    let end: Program.State
    var description: String {
      "`\(script)` ended with \(end.status.map { "\($0)" } ?? "nothing"): \(end.outputText)\(end.errorText)"
    }
  }

  /// Runs a shell script in the folder and waits for it. A git command in it ignores the settings
  /// of the system and of the user.
  ///
  /// - Returns: its standard output.
  /// - Throws: `ScriptFailure` if a command of it fails.
  @discardableResult
  func shell(_ script: String) async throws -> String {
    let end = try await Program("/bin/sh", ["-ec", script], environment: Shell.gitEnvironment, folder: path)
      .end()
    if end.status != .exited(0) { throw ScriptFailure(script: script, end: end) }
    return end.outputText
  }

  /// Replaces a file by a new one with this line, in one step.
  func replace(_ name: String, with line: String) async throws {
    try await shell("echo '\(line)' > .new; mv .new \(name)")
  }
}
