import CLinux
import Files
import Glibc
import Synchronization
package import SystemPackage

/// A process that this program started, with no blocked signals. Only this type starts one. `OwnChildren`
/// lists it until its owner has reaped it.
package struct Child {
  /// The number of the process; of an isolated one, also of its group. Valid until it is reaped.
  package let number: CInt

  package enum Kind {
    /// It leads a process group of its own, so an interrupt from the keyboard is not for it. Each
    /// signal has its default action, and only the standard streams are open.
    case isolated
    /// It shares the terminal, the process group and the open files of this program.
    case foreground
  }

  package struct Streams {
    package var (input, output, error) = (STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO)

    package init(input: CInt, output: CInt, error: CInt) {
      self.input = input
      self.output = output
      self.error = error
    }

    package init(_ all: CInt) { self.init(input: all, output: all, error: all) }

    package init() {}
  }

  package enum End: Equatable {
    case exited(CInt)
    case signaled(CInt)

    package init(status: CInt) {
      self = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signaled(status & 0x7F)
    }

    /// The exit code, or 128 plus the number of the signal, as in a shell.
    package var code: CInt {
      switch self {
      case .exited(let code): code
      case .signaled(let signal): 128 + signal
      }
    }
  }

  /// Starts a program: a path, or a name to look up in `PATH`. A relative path begins in `directory`.
  /// The environment and the directory are by default those of this program. `start` calls its argument,
  /// which starts the process, and records the number.
  package init(
    _ program: String, _ arguments: [[UInt8]], environment: [[UInt8]]? = nil, _ streams: Streams = Streams(),
    _ kind: Kind = .isolated,
    in directory: String? = nil,
    start: (() throws(Errno) -> CInt) throws(Errno) -> CInt = { spawn throws(Errno) in
      try OwnChildren.shared.start(spawn)
    }
  ) throws(Errno) {
    number = try start { () throws(Errno) in
      try Child.spawn(program, [Array(program.utf8)] + arguments, environment, streams, kind, in: directory)
    }
  }

  /// Starts a command of the user in a shell, which gets words as arguments and so never parses them.
  package init(shell command: String, _ words: [String], _ streams: Streams, _ kind: Kind) throws(Errno) {
    try self.init("/bin/sh", (["-c", command] + words).map { Array($0.utf8) }, streams, kind)
  }

  private static func spawn(
    _ program: String, _ words: [[UInt8]], _ environment: [[UInt8]]?, _ streams: Streams, _ kind: Kind,
    in directory: String?
  ) throws(Errno) -> CInt {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, stream) in [
      (streams.input, STDIN_FILENO), (streams.output, STDOUT_FILENO), (streams.error, STDERR_FILENO),
    ] {
      posix_spawn_file_actions_adddup2(&actions, descriptor, stream)
    }
    if kind == .isolated { clinux_close_from(&actions, STDERR_FILENO + 1) }
    if let directory { clinux_change_directory(&actions, directory) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    set(&attributes, kind)
    var process: CInt = 0
    let code = withCStrings(words) { words in
      guard let environment else {
        return posix_spawnp(&process, program, &actions, &attributes, words, environ)
      }
      return withCStrings(environment) { posix_spawnp(&process, program, &actions, &attributes, words, $0) }
    }
    if code != 0 { throw Errno(rawValue: code) }
    return process
  }

  private static func set(_ attributes: inout posix_spawnattr_t, _ kind: Kind) {
    var signals = sigset_t()
    sigemptyset(&signals)
    // A thread of a dispatch queue has most signals blocked, and the child would inherit that.
    posix_spawnattr_setsigmask(&attributes, &signals)
    let group = kind == .isolated ? POSIX_SPAWN_SETPGROUP : 0
    posix_spawnattr_setflags(&attributes, Int16(group | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    switch kind {
    case .isolated:
      posix_spawnattr_setpgroup(&attributes, 0)
      sigfillset(&signals)
    case .foreground:
      // The signals that this program ignores itself. Those that its parent made it ignore, as
      // `nohup` does, stay ignored.
      for number in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&signals, number) }
    }
    posix_spawnattr_setsigdefault(&attributes, &signals)
  }

  /// Sends a signal to the process group of an isolated child. Not to be called after it was reaped.
  package func signal(_ number: CInt) { kill(-self.number, number) }

  /// Returns the status of `waitpid(2)`, by default after waiting for it; nil if there is none.
  package func status(_ options: CInt = 0) -> CInt? {
    var status: CInt = 0
    return retryOnInterrupt { waitpid(number, &status, options) } == number ? status : nil
  }

  package func reap() -> End {
    defer { OwnChildren.shared.reaped(number) }
    return End(status: status() ?? 0)
  }
}

/// Lets a write of `body` whose reader is gone fail with `EPIPE`, whatever this program does on SIGPIPE: the
/// signal is blocked in this thread, and consumed.
package func withoutSIGPIPE<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure)
  -> Result
{
  var pipe = sigset_t()
  var before = sigset_t()
  var waiting = sigset_t()
  sigemptyset(&pipe)
  sigaddset(&pipe, SIGPIPE)
  sigpending(&waiting)
  pthread_sigmask(SIG_BLOCK, &pipe, &before)
  defer {
    let error = errno
    var now = timespec()
    // One that had arrived before is not ours.
    if sigismember(&waiting, SIGPIPE) == 0 { sigtimedwait(&pipe, nil, &now) }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = error
  }
  return try body()
}

/// Calls `body` with strings for a system call: each ends at its first NUL, and a null pointer follows.
private func withCStrings<Result>(_ strings: [[UInt8]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result)
  -> Result
{
  let copies = strings.map { string in strdup((string + [0]).map { CChar(bitPattern: $0) }) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}

/// The children that this process started (see `Child`). The code that started one reaps it. A process that
/// adopts orphans must not reap these: the owner would wait forever, or see a different exit status.
package final class OwnChildren: Sendable {
  private struct State {
    var starting = 0
    var children: Set<CInt> = []
    var onReap: (@Sendable () -> Void)?
  }

  package static let shared = OwnChildren()

  /// Lock: guards the children that this process started and did not reap yet.
  private let state = Mutex(State())

  package init() {}

  /// Starts a child. Until it is reaped, only the caller may reap it.
  package func start<Failure: Error>(_ spawn: () throws(Failure) -> CInt) throws(Failure) -> CInt {
    state.withLock { $0.starting += 1 }
    do throws(Failure) {
      let child = try spawn()
      state.withLock { state in
        state.starting -= 1
        state.children.insert(child)
      }
      return child
    } catch {
      state.withLock { $0.starting -= 1 }
      throw error
    }
  }

  /// Records that a child was reaped by its owner. Orphans that had to wait for it are reaped now.
  package func reaped(_ child: CInt) {
    let body = state.withLock { state in
      state.children.remove(child)
      return state.onReap
    }
    body?()
  }

  /// Returns true if a child that had ended before this call may be reaped by anybody.
  package func mayReap(_ child: CInt) -> Bool {
    state.withLock { $0.starting == 0 && !$0.children.contains(child) }
  }

  /// Sets the closure that reaps orphans. It is called after each own child.
  package func reapOrphans(with body: @escaping @Sendable () -> Void) { state.withLock { $0.onReap = body } }
}
