import CLinux
import Files
import Glibc
import SystemPackage
import Processes

/// A running git process. Reads its input, returns its output as it is printed, and does not
/// outlive this object.
///
/// git has its own process group. The group is ended when this object is released early, and when
/// git is blocked: a FIFO instead of a file that git reads blocks it silently.
final class GitChild {
  private let child: Child
  private let idleLimit: Duration
  private let countsWork: Bool
  private let input: PipeEnd
  private let output: PipeEnd
  private let errors: PipeEnd
  private var room = [UInt8](repeating: 0, count: PipeEnd.capacity)
  private var pendingInput: ArraySlice<UInt8>
  private var closesInput: Bool
  private var messages: [UInt8] = []
  private let warn: @Sendable (String) -> Void
  private var isReaped = false
  private var lastActive = ContinuousClock.now
  private var lastActivity: [Substring]?

  private static let maxMessages = 1 << 16

  init(
    _ arguments: [[UInt8]], environment: [String], input: [UInt8], keepsInputOpen: Bool, idleLimit: Duration,
    countsWork: Bool, warn: @escaping @Sendable (String) -> Void
  ) throws(GitError) {
    self.idleLimit = idleLimit
    self.countsWork = countsWork
    self.warn = warn
    pendingInput = input[...]
    closesInput = !keepsInputOpen
    let stdin = try GitChild.makePipe()
    let stdout = try GitChild.makePipe()
    let stderr = try GitChild.makePipe()
    do throws(Errno) {
      let streams = Child.Streams(
        input: stdin.reading.raw, output: stdout.writing.raw, error: stderr.writing.raw)
      child = try Child("git", arguments, environment: environment.map { Array($0.utf8) }, streams)
    } catch .noSuchFileOrDirectory, .notDirectory {
      throw GitError(
        .missing, "git is not installed or not on $PATH. Install it (on Debian: `apt install git`).")
    } catch {
      throw GitError(.failed, "git cannot be started: \(error.reason).")
    }
    // Otherwise neither side could notice the end of the other.
    for end in [stdin.reading, stdout.writing, stderr.writing] { end.close() }
    clinux_guard_group(child.number)
    self.input = stdin.writing
    output = stdout.reading
    errors = stderr.reading
    for end in [self.input, output, errors] { end.makeNonBlocking() }
  }

  deinit {
    stop()
  }

  /// Queues more input. It is sent while waiting for output.
  func write(_ bytes: [UInt8]) { pendingInput += bytes }

  /// Closes the input after all of it is sent.
  func closeInput() { closesInput = true }

  /// Returns the next part of the output, or nil at its end. Throws if git was idle for too long.
  func next() throws(GitError) -> [UInt8]? {
    lastActive = .now
    while output.isOpen {
      let ready = try wait()
      if ready.errors { readMessages() }
      if ready.input { writeInput() }
      if ready.output, let bytes = read(output) { return bytes }
    }
    return nil
  }

  /// Waits for git to end. Call it after all output was read. The result has none of it.
  func end() throws(GitError) -> GitResult {
    input.close()
    lastActive = .now
    while errors.isOpen {
      if try wait().errors { readMessages() }
    }
    let result = GitResult(status: reap(), messages: messages)
    result.warnings.forEach(warn)
    return result
  }

  func stop() {
    if isReaped { return }
    child.signal(SIGTERM)
    if errors.isOpen { readMessages() }
    GitResult(status: 0, messages: messages).warnings.forEach(warn)
    // git gets some time to remove its lock files.
    for _ in 0..<100 {
      if tryReap() != nil { return }
      usleep(1_000)
    }
    child.signal(SIGKILL)
    _ = reap()
  }
}

// MARK: Waiting

extension GitChild {
  private func wait() throws(GitError) -> (input: Bool, output: Bool, errors: Bool) {
    if pendingInput.isEmpty, closesInput { input.close() }
    while true {
      var events = [
        pollfd(
          fd: pendingInput.isEmpty || !input.isOpen ? -1 : input.raw, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: output.isOpen ? output.raw : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errors.isOpen ? errors.raw : -1, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&events, 3, 250) > 0 {
        lastActive = .now
        return (events[0].revents != 0, events[1].revents != 0, events[2].revents != 0)
      }
      try stopIfIdle()
    }
  }

  private func stopIfIdle() throws(GitError) {
    if countsWork {
      let activity = activity
      if activity == nil || activity != lastActivity || activity?.first == "D" { lastActive = .now }
      lastActivity = activity
    }
    guard ContinuousClock.now - lastActive > idleLimit else { return }
    stop()
    throw GitError(
      .timedOut,
      "git did not respond for \(idleLimit.components.seconds) s and was stopped. It may have been blocked by a FIFO: "
        + "check the repository's config and the files it includes, .gitignore and .gitattributes.")
  }

  /// `D` while git waits for the disk, and its times so far; nil if it is gone.
  private var activity: [Substring]? {
    guard let bytes = try? WholeFile.read("/proc/\(child.number)/stat") else { return nil }
    // The name is in parentheses and may contain anything.
    let words = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
    // User and system time of the process, then of the children it waited for.
    return words.count > 14 ? [words[0] == "D" ? "D" : ""] + words[11...14] : nil
  }

  private func readMessages() {
    guard let bytes = read(errors) else { return }
    messages += bytes.prefix(GitChild.maxMessages - messages.count)
  }

  private func writeInput() {
    let count = pendingInput.withUnsafeBytes { bytes in
      withoutSIGPIPE { Glibc.write(input.raw, bytes.baseAddress, min(bytes.count, PipeEnd.capacity)) }
    }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    // git may end without reading.
    if count < 0 { input.close() }
    pendingInput = count < 0 || count == pendingInput.count ? [] : pendingInput.dropFirst(count)
  }

  /// Waits for the exit code, or 128 plus the signal's number, as in a shell.
  private func reap() -> CInt {
    while true {
      if let status = tryReap(0) { return status }
    }
  }

  private func tryReap(_ options: CInt = WNOHANG) -> CInt? {
    guard let status = child.status(options) else { return nil }
    isReaped = true
    clinux_release_group(child.number)
    OwnChildren.shared.reaped(child.number)
    return Child.End(status: status).code
  }
}

// MARK: Pipes

extension GitChild {
  private static func makePipe() throws(GitError) -> (reading: PipeEnd, writing: PipeEnd) {
    do throws(Errno) {
      return try PipeEnd.makePipe()
    } catch {
      throw GitError(.failed, "git cannot be started: cannot create a pipe: \(error.reason).")
    }
  }

  /// Returns the available bytes, or nil if there are none. At its end, the pipe is closed.
  private func read(_ pipe: PipeEnd) -> [UInt8]? {
    guard pipe.isOpen else { return nil }
    let count = Glibc.read(pipe.raw, &room, room.count)
    if count > 0 { return Array(room[..<count]) }
    if count == 0 || (errno != EAGAIN && errno != EINTR) { pipe.close() }
    return nil
  }
}
