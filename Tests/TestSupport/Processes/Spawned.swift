package import Glibc
import Synchronization

/// A child process that leads a process group and has pipes for its streams. It inherits no other
/// descriptor and no blocked or ignored signal.
package struct Spawned {
  /// Held while pipes exist that a child of another test would inherit: Swift's Glibc has no
  /// `pipe2`.
  private static let lock = Mutex(())

  package let process: pid_t
  /// The descriptors are the caller's to close. `input` is -1 if the child has no pipe for its
  /// input.
  package let input: CInt
  package let output: CInt
  package let error: CInt

  /// Starts a program in a folder.
  ///
  /// - Parameter hasInput: whether its input is a pipe; it is `/dev/null` otherwise.
  package init(
    _ program: String, _ arguments: [String], environment: [String: String], folder: String, hasInput: Bool
  ) throws {
    self = try Spawned.lock.withLock { _ in
      // Glibc in Swift lacks the call that sets the child's folder, so a shell changes to it and
      // becomes the program.
      let command = ["/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder, program] + arguments
      return try Spawned(command, environment: environment, hasInput: hasInput)
    }
  }

  private init(_ command: [String], environment: [String: String], hasInput: Bool) throws {
    let outputPipe = try Spawned.pipe(), errorPipe = try Spawned.pipe(),
      inputPipe = hasInput ? try Spawned.pipe() : (-1, -1)
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
    process = try PosixSpawn.start(command, environment: environment, &actions, hasGroup: true)
    (input, output, error) = (inputPipe.1, outputPipe.0, errorPipe.0)
  }

  private static func pipe() throws -> (CInt, CInt) {
    var ends: [CInt] = [-1, -1]
    if Glibc.pipe(&ends) != 0 { throw PosixSpawn.Failure(call: "pipe", code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
