import Glibc

/// The programs, the sizes and the generated items of one run. Everything it writes is in one
/// temporary folder, which is removed at the end, also if the process is killed.
final class Setting {
  /// The path of the release binary.
  let program: String
  /// The path of the C floor, which is built beside this program.
  let floor: String
  /// The number of items, and the large number.
  let count: Int
  var largeCount: Int { count * 10 }
  /// The number of timed runs of each command.
  let rounds = 5
  let folder: String
  private var made: Set<String> = []
  private let remover: Child
  private let end: CInt

  init(program: String, count: Int) throws {
    (self.program, self.count) = (program, count)
    let parts = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
    floor = (parts.dropLast() + ["Floor"]).joined(separator: "/")
    let parent = Setting.variable("TMPDIR") ?? "/var/tmp"
    var template = Array("\(parent)/notes-watch-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure("No folder can be made in \(parent).") }
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    self.folder = folder
    for name in ["XDG_CACHE_HOME", "XDG_STATE_HOME"] { setenv(name, "\(folder)/\(name)", 1) }
    // The user's settings of git would change what it does.
    for name in ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"] { setenv(name, "/dev/null", 1) }
    (remover, end) = try Setting.remover(of: folder)
  }

  /// Starts a process that removes a folder as soon as this process ends, for whatever reason.
  ///
  /// - Returns: The process, and the pipe whose end it waits for.
  private static func remover(of folder: String) throws -> (Child, CInt) {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure("No pipe can be made.") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    // A program that still runs may write to the folder for another moment.
    let script = "trap '' INT TERM HUP; read -r line; while [ -e \"$0\" ]; do rm -rf \"$0\" || sleep 1; done"
    return (try Child(["sh", "-c", script, folder], input: ends[0]), ends[1])
  }

  /// Removes everything that was written.
  func remove() {
    close(end)
    _ = try? remover.wait()
  }

  /// Returns the path of a folder of generated items, which is written at its first use.
  func items(_ format: ItemFormat, count: Int? = nil) throws -> String {
    let count = count ?? self.count
    let path = "\(folder)/\(format.rawValue)-\(count)"
    if made.insert(path).inserted {
      Setting.say("Writing \(count) items (\(format.rawValue)) …")
      try ItemGenerator(format).write(count, to: path)
    }
    return path
  }

  /// Returns the path of the YAML items in a git repository in which everything is committed.
  func repository() throws -> String {
    let path = try items(.yaml)
    if made.insert("\(path)/.git").inserted {
      for arguments in [
        ["init", "-q", "-b", "main"], ["config", "gc.auto", "0"], ["add", "-A"],
        ["commit", "-q", "-m", "items"],
      ] {
        try git(arguments, in: path)
      }
    }
    return path
  }

  func git(_ arguments: [String], in path: String) throws {
    try Child(["git", "-C", path, "-c", "user.name=bench", "-c", "user.email=bench@localhost"] + arguments)
      .wait().check()
  }

  /// Empties what the program keeps of earlier runs.
  func removeCache() throws { try Child(["rm", "-rf", "\(folder)/XDG_CACHE_HOME"]).wait().check() }

  // MARK: The machine

  /// Returns the path of an installed program.
  static func path(of program: String) -> String? {
    (variable("PATH") ?? "").split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }

  static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// Prints progress on standard error.
  static func say(_ text: String) { _ = "\(text)\n".withCString { write(STDERR_FILENO, $0, strlen($0)) } }
}

/// A sentence that says why something cannot be measured.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
