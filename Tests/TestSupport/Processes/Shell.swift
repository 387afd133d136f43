import Foundation
import Glibc

/// Runs shell scripts for tests.
///
/// Foundation's `Process` is no alternative: its children inherit the blocked signals of a dispatch
/// thread, so a shell may wait forever.
package enum Shell {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Runs a script and waits for it. A git command in it ignores the settings of the system and of
  /// the user.
  ///
  /// - Returns: what the script printed on both streams.
  /// - Throws: `Failure` if it ends with another status than 0.
  package static func run(_ script: String, in folder: String) throws -> String {
    let output = "/var/tmp/notes-watch-shell-\(UInt64.random(in: 0 ... .max))"
    defer { unlink(output) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    // A pipe would not end before the script's last background process does; a file needs no end.
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    let child = try PosixSpawn.start(
      ["/bin/sh", "-c", "cd \"$0\" || exit; \(script)", folder], environment: environment, &actions)
    let status = PosixSpawn.wait(for: child)
    let text = String(
      decoding: (try? Data(contentsOf: URL(fileURLWithPath: output))) ?? Data(), as: UTF8.self)
    if status != 0 { throw Failure(description: "`\(script)` ended with status \(status): \(text)") }
    return text
  }

  /// Variables by which git knows an author and reads no settings but a repository's own.
  package static let gitEnvironment = [
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "n",
    "GIT_AUTHOR_EMAIL": "n@example.org",
    "GIT_COMMITTER_NAME": "n", "GIT_COMMITTER_EMAIL": "n@example.org", "GIT_EDITOR": "true",
  ]

  private static var environment: [String: String] {
    let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }
    return inherited.merging(gitEnvironment) { $1 }.merging(["LC_ALL": "C"]) { $1 }
  }
}
