import CLinux
import Files
import Glibc
import SystemPackage

/// The process of one run: the leader of a process group of its own.
///
/// It is started by `posix_spawn`, which needs no thread that waits and causes no wake-ups while
/// the command runs.
struct CommandProcess: Sendable {
  /// The number of the process and of its group. Valid until the process is reaped.
  let number: pid_t

  /// Starts a process with three descriptors and default signals.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - arguments: The arguments without the program's name.
  ///   - environment: The entries of its environment.
  ///   - streams: Its standard streams.
  ///   - directory: Its working directory; nil for that of this program.
  ///   - start: Calls its argument, which starts the process.
  init(
    _ program: String, _ arguments: [String], _ environment: [[UInt8]], _ streams: ChildStreams, in directory: String?,
    start: (() throws(Errno) -> pid_t) throws(Errno) -> pid_t
  ) throws(Errno) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, streams.input.child.raw, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, streams.output.rawValue, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, streams.error.rawValue, STDERR_FILENO)
    clinux_close_from(&actions, STDERR_FILENO + 1)
    if let directory { clinux_change_directory(&actions, directory) }
    let words = ([program] + arguments).map { Array($0.utf8) }
    number = try start { () throws(Errno) in
      var process: pid_t = 0
      let code = withProcessGroupAttributes { attributes in
        withCStrings(words) { words in
          withCStrings(environment) { posix_spawn(&process, program, &actions, attributes, words, $0) }
        }
      }
      if code != 0 { throw Errno(rawValue: code) }
      return process
    }
  }

  /// Sends a signal to the process group. Not to be called after the process was reaped.
  func signal(_ signal: CInt) { kill(-number, signal) }

  /// Reaps the process after its end, and returns how it ended.
  func reap() -> RunEnd {
    var status: CInt = 0
    _ = retryOnInterrupt { waitpid(number, &status, 0) }
    return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signaled(status & 0x7F)
  }
}
