import Foundation
import Glibc

/// Runs shell scripts for tests. Not with Foundation's `Process`, whose children inherit the blocked signals of a dispatch thread, so that a shell may wait for ever.
package enum Shell {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// What the script printed, to either stream. A git in it knows nobody's settings.
  package static func run(_ script: String, in folder: String) throws -> String {
    let output = "/var/tmp/notes-watch-shell-\(UInt64.random(in: 0 ... .max))"
    defer { unlink(output) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    // A file, since a pipe would not end before the last background child of the script does.
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    let status = try spawn(["/bin/sh", "-c", "cd \"$0\" || exit; \(script)", folder], &actions)
    let text = String(decoding: (try? Data(contentsOf: URL(fileURLWithPath: output))) ?? Data(), as: UTF8.self)
    if status != 0 { throw Failure(description: "`\(script)` ended with status \(status): \(text)") }
    return text
  }

  private static func spawn(_ command: [String], _ actions: inout posix_spawn_file_actions_t) throws -> CInt {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var child: pid_t = 0
    let code = withCStrings(command) { arguments in
      withCStrings(environment) { environment in posix_spawn(&child, command[0], &actions, &attributes, arguments, environment) }
    }
    if code != 0 { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    var status: CInt = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status
  }

  private static var environment: [String] {
    let git = [
      "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "n@example.org",
      "GIT_COMMITTER_NAME": "n", "GIT_COMMITTER_EMAIL": "n@example.org", "GIT_EDITOR": "true", "LC_ALL": "C",
    ]
    let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }
    return inherited.merging(git) { $1 }.map { "\($0)=\($1)" }
  }

  private static func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
