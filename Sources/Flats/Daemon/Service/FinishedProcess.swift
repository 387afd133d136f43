import CLinux
import Files
import Glibc
import Sinks
import SystemPackage

/// A program that ran and has ended, with what it printed.
struct FinishedProcess {
  /// The exit code, or 128 plus the number of the signal that ended it.
  let status: CInt
  /// The output on both streams, up to 1 MiB.
  let output: String
  private static let maxOutput = 1 << 20

  /// Runs a program that is found in `PATH`, and waits for its end. It reads nothing.
  ///
  /// - Parameters:
  ///   - command: The name of the program, and its arguments.
  ///   - variables: Variables that it has besides those of this process.
  init(_ command: [String], adding variables: [String: String]) throws(Errno) {
    var ends: [CInt] = [-1, -1]
    try systemCall { clinux_pipe(&ends) }
    let reading = Descriptor(owning: ends[0])
    let process = try FinishedProcess.start(command, variables, output: Descriptor(owning: ends[1]))
    let bytes = FinishedProcess.drain(reading.raw)
    var status: CInt = 0
    _ = retryOnInterrupt { waitpid(process, &status, 0) }
    self.status = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    output = String(decoding: bytes, as: UTF8.self)
  }

  private static func start(_ command: [String], _ variables: [String: String], output: consuming Descriptor) throws(Errno) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.raw, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output.raw, STDERR_FILENO)
    clinux_close_from(&actions, STDERR_FILENO + 1)
    let environment = ChildEnvironment(adding: variables.map { (name: $0.key, value: Array($0.value.utf8)) })
    var process: pid_t = 0
    let code = withCStrings(command.map { Array($0.utf8) }) { words in
      withCStrings(environment.entries) { posix_spawnp(&process, command[0], &actions, nil, words, $0) }
    }
    if code != 0 { throw Errno(rawValue: code) }
    return process
  }

  /// Reads to the end, and keeps the beginning.
  private static func drain(_ descriptor: CInt) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = retryOnInterrupt { read(descriptor, &buffer, buffer.count) }
      if count <= 0 { return bytes }
      bytes += buffer[..<count].prefix(maxOutput - bytes.count)
    }
  }
}
