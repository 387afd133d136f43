package import Glibc
import Synchronization

/// A child process with pipes for its streams and a process group of its own, that inherits nothing else of ours: none of these pipes, no blocked or ignored signal.
package struct Spawned {
  /// Held while there are pipes that a child of another test would inherit, since Swift's Glibc has no `pipe2`.
  private static let lock = Mutex(())

  package let process: pid_t
  /// Ours to close. -1 where the child has no pipe for its input.
  package let input: CInt
  package let output: CInt
  package let error: CInt

  package struct Failure: Error, CustomStringConvertible {
    let call: String
    let code: CInt
    package var description: String { "\(call): \(String(cString: strerror(code)))" }
  }

  /// - Parameter hasInput: whether its input is a pipe; `/dev/null` otherwise.
  package init(_ program: String, _ arguments: [String], environment: [String: String], folder: String, hasInput: Bool) throws {
    self = try Spawned.lock.withLock { _ in
      // The shell changes to the folder and becomes the program: there is no call for it here.
      let command = ["/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder, program] + arguments
      return try Spawned(command, environment: environment, hasInput: hasInput)
    }
  }

  private init(_ command: [String], environment: [String: String], hasInput: Bool) throws {
    let outputPipe = try Spawned.pipe(), errorPipe = try Spawned.pipe(), inputPipe = hasInput ? try Spawned.pipe() : (-1, -1)
    defer { for end in [outputPipe.1, errorPipe.1, inputPipe.0] where end >= 0 { close(end) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if hasInput {
      posix_spawn_file_actions_adddup2(&actions, inputPipe.0, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, outputPipe.1, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errorPipe.1, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    Spawned.clean(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var child: pid_t = 0
    let code = Spawned.withCStrings(command) { arguments in
      Spawned.withCStrings(environment.map { "\($0)=\($1)" }) { environment in
        posix_spawn(&child, command[0], &actions, &attributes, arguments, environment)
      }
    }
    if code != 0 { throw Failure(call: "posix_spawn", code: code) }
    (process, input, output, error) = (child, inputPipe.1, outputPipe.0, errorPipe.0)
  }

  private static func clean(_ attributes: inout posix_spawnattr_t) {
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
  }

  private static func pipe() throws -> (CInt, CInt) {
    var ends: [CInt] = [-1, -1]
    if Glibc.pipe(&ends) != 0 { throw Failure(call: "pipe", code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
