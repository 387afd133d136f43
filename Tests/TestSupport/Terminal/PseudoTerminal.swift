package import Glibc

/// A terminal of our own with a program in it. It keeps what the program writes, and answers
/// queries as a terminal does, if it is told to.
///
/// The program runs below a shell that leads the session, as below a login shell: the end of the
/// program does not hang up the terminal. `deinit` hangs it up.
package final class PseudoTerminal {
  /// The queries that the terminal answers, with the answers.
  package static let usualAnswers = [
    "\u{1B}[c": "\u{1B}[?62;4c", "\u{1B}[5n": "\u{1B}[0n", "\u{1B}[6n": "\u{1B}[1;1R",
    "\u{1B}[?2026$p": "\u{1B}[?2026;2$y",
    "\u{1B}[?2027$p": "\u{1B}[?2027;0$y",
  ]

  // TIOCSPTLCK and TIOCGPTN.
  private static let setLock: UInt = 0x4004_5431, getNumber: UInt = 0x8004_5430

  /// Everything that was written to the terminal.
  package private(set) var output: [UInt8] = []
  /// The queries that it answers, with the answers. None at first.
  package var answers: [String: String] = [:]
  /// The most bytes that are read at a time, and how long to wait after them: a slow line.
  package var slowness: (bytes: Int, microseconds: UInt32)?

  /// The shell that leads the session.
  package private(set) var leader: pid_t = 0

  /// The descriptor that a program has of the terminal.
  package var device: CInt { slave }

  private var master: CInt
  private var slave: CInt
  private let path: String
  private var answered = 0

  /// Makes a terminal with a window of this size.
  package init(columns: Int = 80, rows: Int = 24) throws {
    // Swift's Glibc lacks `posix_openpt`, `unlockpt` and `ptsname`; this is what they do.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    var number: CUnsignedInt = 0
    var isLocked: CInt = 0
    guard master >= 0, ioctl(master, PseudoTerminal.setLock, &isLocked) == 0,
      ioctl(master, PseudoTerminal.getNumber, &number) == 0
    else {
      throw PosixSpawn.Failure(call: "open /dev/ptmx", code: errno)
    }
    path = "/dev/pts/\(number)"
    // An open terminal keeps its settings when the program ends.
    slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    resize(columns: columns, rows: rows)
  }

  deinit {
    hangUp()
    if leader > 0 {
      kill(leader, SIGKILL)
      _ = PosixSpawn.wait(for: leader)
    }
  }

  /// Starts a command of a shell as the leader of the session. Its streams are the terminal.
  package func start(_ command: [String], environment: [String: String] = [:]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
    let usual = [
      "PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C.UTF-8",
      "HOME": "/",
    ]
    leader = try PosixSpawn.start(
      command, environment: usual.merging(environment) { $1 }, &actions, hasSession: true)
  }

  /// Runs a program below a shell, which prints `ended STATUS` after it, and then waits.
  package func run(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    try start(
      ["/bin/sh", "-c", "\"$@\"; echo \"ended $?\"; read line", "sh", program] + arguments,
      environment: environment)
  }

  // MARK: - What a person does

  /// Types a text.
  package func type(_ text: String) { type(Array(text.utf8)) }

  /// Types bytes.
  package func type(_ bytes: [UInt8]) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { write(master, $0.baseAddress.map { $0 + start }, $0.count - start) }
      if count > 0 { start += count } else if errno == EAGAIN { pump(10) } else if errno != EINTR { return }
    }
  }

  /// Changes the size of the window.
  package func resize(columns: Int, rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Closes the terminal, as its window does.
  package func hangUp() {
    for descriptor in [slave, master] where descriptor >= 0 { close(descriptor) }
    (slave, master) = (-1, -1)
  }

  // MARK: - What a test sees

  /// The settings of the terminal, as bytes.
  package var settings: [UInt8] {
    var settings = termios()
    tcgetattr(slave, &settings)
    return withUnsafeBytes(of: settings) { Array($0) }
  }

  /// Reads the settings of the terminal.
  package func readSettings(_ settings: inout termios) { tcgetattr(slave, &settings) }

  /// Sets the settings of the terminal, as a program does.
  package func writeSettings(_ settings: inout termios) { tcsetattr(slave, TCSANOW, &settings) }

  /// What was written to the terminal, as text.
  package var text: String { String(decoding: output, as: UTF8.self) }

  /// How often a text was written.
  package func count(_ text: String) -> Int { count(Array(text.utf8), from: 0).count }

  /// Reads what is written until a condition holds.
  ///
  /// - Returns: False if it does not hold after ten seconds.
  package func eventually(_ condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(10 * Patience.factor)
    while !condition() {
      if .now > end { return condition() }
      pump(20)
    }
    return true
  }

  /// Reads until this text was written this often.
  package func awaitText(_ text: String, count: Int = 1) -> Bool { eventually { self.count(text) >= count } }

  /// The processes whose terminal is this one, by name. Those that have ended do not count: an
  /// orphan is reaped by the first process of the system, when it likes.
  package var processes: [pid_t: String] {
    var status = stat()
    guard stat(path, &status) == 0, let folder = opendir("/proc") else { return [:] }
    defer { closedir(folder) }
    var found: [pid_t: String] = [:]
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let process = pid_t(name), let fields = PseudoTerminal.status(of: process) else { continue }
      if fields.terminal == status.st_rdev { found[process] = fields.name }
    }
    return found
  }

  /// Returns true if these processes have ended.
  package func haveEnded(_ processes: [pid_t]) -> Bool {
    processes.allSatisfy { PseudoTerminal.status(of: $0) == nil }
  }

  /// The name and the terminal of a process that has not ended.
  private static func status(of process: pid_t) -> (name: String, terminal: dev_t)? {
    guard let file = fopen("/proc/\(process)/stat", "r") else { return nil }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 1024)
    let text = String(decoding: buffer[..<fread(&buffer, 1, buffer.count, file)], as: UTF8.self)
    guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")") else { return nil }
    let fields = text[close...].split(separator: " ")
    guard fields.count > 5, fields[1] != "Z", let terminal = dev_t(fields[5]) else { return nil }
    return (String(text[text.index(after: open)..<close]), terminal)
  }

  // MARK: - Reading

  /// Reads what has arrived, after at most `milliseconds`.
  package func pump(_ milliseconds: CInt) {
    guard master >= 0 else {
      // A terminal that is gone sends nothing that could be awaited.
      usleep(UInt32(milliseconds) * 1000)
      return
    }
    var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, milliseconds) > 0 else { return }
    var buffer = [UInt8](repeating: 0, count: slowness?.bytes ?? 1 << 16)
    let count = read(master, &buffer, buffer.count)
    if count > 0 { output += buffer[..<count] }
    // The delay of a slow line.
    if let slowness { usleep(slowness.microseconds) }
    answer()
  }

  private func answer() {
    while let (range, answer) = nextQuery() {
      answered = range.upperBound
      type(answer)
    }
  }

  private func nextQuery() -> (Range<Int>, String)? {
    answers.compactMap { query, answer in count(Array(query.utf8), from: answered).first.map { ($0, answer) }
    }
    .min { $0.0.lowerBound < $1.0.lowerBound }
  }

  private func count(_ wanted: [UInt8], from start: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var index = start
    while index + wanted.count <= output.count {
      if output[index] == wanted[0], output[index..<index + wanted.count].elementsEqual(wanted) {
        found.append(index..<index + wanted.count)
        index += wanted.count
      } else {
        index += 1
      }
    }
    return found
  }
}
