import Glibc

/// `posix_spawn(3)` for children that inherit no blocked and no ignored signal, and no descriptors but
/// the standard ones: what runs the tests may have left others open.
enum PosixSpawn {
  struct Failure: Error, CustomStringConvertible {
    let call: String
    let code: CInt
    var description: String { "\(call): \(String(cString: strerror(code)))" }
  }

  /// POSIX_SPAWN_SETSID, which Swift's Glibc lacks.
  private static let setSession: CInt = 0x80

  /// Keeps what this process inherited from its own children.
  private static let inheritsNothing: Void = {
    for file in 3..<1_024 as Range<CInt> { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
  }()

  /// Starts a command.
  ///
  /// - Parameters:
  ///   - hasGroup: whether the child leads a new process group.
  ///   - hasSession: whether the child leads a new session: the first terminal that it opens is
  ///     then the terminal of the session.
  static func start(
    _ command: [String], environment: [String: String], _ actions: inout posix_spawn_file_actions_t,
    hasGroup: Bool = false,
    hasSession: Bool = false
  ) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let flags =
      POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (hasGroup ? POSIX_SPAWN_SETPGROUP : 0)
      | (hasSession ? setSession : 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    _ = inheritsNothing
    var child: pid_t = 0
    let code = withCStrings(command) { arguments in
      withCStrings(environment.map { "\($0)=\($1)" }) { environment in
        posix_spawn(&child, command[0], &actions, &attributes, arguments, environment)
      }
    }
    if code != 0 { throw Failure(call: "posix_spawn", code: code) }
    return child
  }

  /// Waits until a child has ended, and returns its status as `waitpid` reports it.
  static func wait(for child: pid_t) -> CInt {
    var status: CInt = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status
  }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
