import CLinux
import Files
import Glibc
import SystemPackage

/// A running git process. Reads its input, returns its output as it is printed, and does not
/// outlive this object.
///
/// git has its own process group. The group is ended when this object is released early, and when
/// git is blocked: a FIFO in place of a file that git reads blocks it silently.
final class GitChild {
  private let process: pid_t
  private let idleLimit: IdleLimit
  private var input: Pipe
  private var output: Pipe
  private var errors: Pipe
  private var pendingInput: ArraySlice<UInt8>
  /// True if no more input will be written.
  private var closesInput: Bool
  private var messages: [UInt8] = []
  private let warn: GitWarnings.Report
  private var isReaped = false
  /// The last time at which git was active.
  private var lastActive = ContinuousClock.now
  private var lastActivity: ProcessActivity?

  /// The maximum time without activity.
  struct IdleLimit: Sendable {
    var duration: Duration
    /// True if CPU time counts as activity, so that git may compute silently.
    var countsWork = true
  }

  private static let maxMessages = 1 << 16

  /// Starts git.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after `git`.
  ///   - environment: The complete environment, as `NAME=value`.
  ///   - input: The start of git's standard input.
  ///   - keepsInputOpen: True if `write(_:)` will be called.
  ///   - idleLimit: The maximum time without activity.
  ///   - warn: Receives git's warnings when it has ended.
  init(
    _ arguments: [[UInt8]], environment: [String], input: [UInt8], keepsInputOpen: Bool, idleLimit: IdleLimit,
    warn: @escaping GitWarnings.Report
  ) throws(GitError) {
    // git may end without reading. Writing to it must then fail instead of ending this program.
    signal(SIGPIPE, SIG_IGN)
    (self.idleLimit, self.warn) = (idleLimit, warn)
    pendingInput = input[...]
    closesInput = !keepsInputOpen
    let pipes = (try PipePair(), try PipePair(), try PipePair())
    process = try OwnChildren.shared.start { () throws(GitError) in try GitChild.spawn(arguments, environment, pipes) }
    clinux_guard_group(process)
    (self.input, output, errors) = (pipes.0.keepWriting(), pipes.1.keepReading(), pipes.2.keepReading())
  }

  deinit {
    stop()
  }

  /// Queues more input. It is sent while waiting for output.
  func write(_ bytes: [UInt8]) { pendingInput += bytes }

  /// Closes the input after all of it is sent.
  func closeInput() { closesInput = true }

  /// Returns the next part of the output, or nil at its end. Blocks until there is some.
  ///
  /// - Throws: `GitError` if git was idle for too long and was stopped.
  func next() throws(GitError) -> [UInt8]? {
    lastActive = .now
    while output.isOpen {
      let ready = try wait()
      if ready.errors { readMessages() }
      if ready.input { writeInput() }
      if ready.output, let bytes = output.read() { return bytes }
    }
    return nil
  }

  /// Waits for git to end. Call it after all output was read.
  func end() throws(GitError) -> (status: CInt, messages: GitMessages) {
    input.close()
    lastActive = .now
    while errors.isOpen {
      if try wait().errors { readMessages() }
    }
    let found = GitMessages(messages)
    found.warnings.forEach(warn)
    return (reap(), found)
  }

  /// Stops git.
  func stop() {
    if isReaped { return }
    kill(-process, SIGTERM)
    if errors.isOpen { readMessages() }
    GitMessages(messages).warnings.forEach(warn)
    // git gets some time to remove its lock files.
    for _ in 0..<100 {
      if tryReap() != nil { return }
      usleep(1_000)
    }
    kill(-process, SIGKILL)
    _ = reap()
  }
}

// MARK: Waiting

extension GitChild {
  private func wait() throws(GitError) -> (input: Bool, output: Bool, errors: Bool) {
    if pendingInput.isEmpty, closesInput { input.close() }
    while true {
      var events = [
        pollfd(fd: pendingInput.isEmpty ? -1 : input.descriptor, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: output.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errors.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&events, 3, 250) > 0 {
        lastActive = .now
        return (events[0].revents != 0, events[1].revents != 0, events[2].revents != 0)
      }
      try stopIfIdle()
    }
  }

  private func stopIfIdle() throws(GitError) {
    if idleLimit.countsWork {
      let activity = ProcessActivity(of: process)
      if activity == nil || activity != lastActivity || activity?.isWaitingForDisk == true { lastActive = .now }
      lastActivity = activity
    }
    guard ContinuousClock.now - lastActive > idleLimit.duration else { return }
    stop()
    throw GitError(
      .timedOut,
      "git did not respond for \(idleLimit.duration.components.seconds) s and was stopped. It may have been blocked by a FIFO: "
        + "check the repository's config and the files it includes, .gitignore and .gitattributes.")
  }

  private func readMessages() {
    guard let bytes = errors.read() else { return }
    messages += bytes.prefix(GitChild.maxMessages - messages.count)
  }

  private func writeInput() {
    let count = input.write(pendingInput)
    pendingInput = count < 0 ? [] : pendingInput.dropFirst(count)
    if pendingInput.isEmpty { pendingInput = [] }
    if count < 0 { input.close() }
  }

  /// Waits for the exit code, or 128 plus the signal's number, as in a shell.
  private func reap() -> CInt {
    while true {
      if let status = tryReap(0) { return status }
    }
  }

  private func tryReap(_ options: CInt = WNOHANG) -> CInt? {
    var status: CInt = 0
    let found = waitpid(process, &status, options)
    if found == 0 || (found < 0 && errno == EINTR) { return nil }
    isReaped = true
    clinux_release_group(process)
    OwnChildren.shared.reaped(process)
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }
}

/// The activity of a process so far, from `/proc`.
private struct ProcessActivity: Equatable {
  let ticks: [Substring]
  let isWaitingForDisk: Bool

  init?(of process: pid_t) {
    guard let bytes = try? WholeFile.read("/proc/\(process)/stat") else { return nil }
    // The name is in parentheses and may contain anything.
    let words = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
    guard words.count > 14 else { return nil }
    // User and system time of the process, then of the children it waited for.
    (ticks, isWaitingForDisk) = (Array(words[11...14]), words[0] == "D")
  }
}

// MARK: Starting

extension GitChild {
  private static func spawn(_ arguments: [[UInt8]], _ environment: [String], _ pipes: (PipePair, PipePair, PipePair)) throws(GitError)
    -> pid_t
  {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipes.0.reading, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, pipes.1.writing, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, pipes.2.writing, STDERR_FILENO)
    clinux_close_from(&actions, STDERR_FILENO + 1)
    var process: pid_t = 0
    let words = [Array("git".utf8)] + arguments
    let code = withProcessGroupAttributes { attributes in
      withCStrings(words) { words in
        withCStrings(environment.map { Array($0.utf8) }) { posix_spawnp(&process, "git", &actions, attributes, words, $0) }
      }
    }
    if code == ENOENT || code == ENOTDIR {
      throw GitError(.missing, "git is not installed or not on $PATH. Install it (on Debian: `apt install git`).")
    }
    if code != 0 { throw GitError(.failed, "git cannot be started:  \(String(cString: strerror(code))).") }
    return process
  }
}

/// Both ends of a pipe. Other programs do not inherit them.
private final class PipePair {
  private(set) var reading: CInt
  private(set) var writing: CInt

  init() throws(GitError) {
    var ends: [CInt] = [-1, -1]
    guard clinux_pipe(&ends) == 0 else {
      throw GitError(.failed, "git cannot be started: cannot create a pipe:  \(Errno.current.reason).")
    }
    (reading, writing) = (ends[0], ends[1])
  }

  /// Returns the reading end and closes the other one.
  func keepReading() -> Pipe {
    defer { reading = -1 }
    return Pipe(reading)
  }

  func keepWriting() -> Pipe {
    defer { writing = -1 }
    return Pipe(writing)
  }

  deinit {
    for end in [reading, writing] where end >= 0 { close(end) }
  }
}

/// Our end of a pipe. No call blocks.
final class Pipe {
  /// The capacity of a pipe and the maximum size of a read.
  static let capacity = 1 << 16

  /// The descriptor, or -1 after it was closed.
  private(set) var descriptor: CInt
  private var room = [UInt8](repeating: 0, count: Pipe.capacity)

  var isOpen: Bool { descriptor >= 0 }

  init(_ descriptor: CInt) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close()
  }

  /// Returns the available bytes, or nil if there are none yet or the pipe has ended. At its end,
  /// the pipe is closed.
  func read() -> [UInt8]? {
    let count = Glibc.read(descriptor, &room, room.count)
    if count > 0 { return Array(room[..<count]) }
    if count == 0 || (errno != EAGAIN && errno != EINTR) { close() }
    return nil
  }

  /// Returns the number of bytes written, or -1 if the reader has closed the pipe.
  func write(_ bytes: ArraySlice<UInt8>) -> Int {
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, min($0.count, Pipe.capacity)) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : count
  }

  func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }
}
