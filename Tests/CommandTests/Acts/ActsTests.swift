import Synchronization
import TestSupport
import Testing

/// Saves by real editors and tools, and commands of git. One save or command is one update, no item
/// is deleted in between, and an act that changes no value is no update.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ActsTests {
  @Test func `a save is one update`() async throws { try await expect(Act.saves) }

  @Test(.enabled(if: Machine.has("vim"), missing("vim")))
  func `a save by vim is one update`() async throws { try await expect(Act.vim) }

  @Test(.enabled(if: Machine.has("nano"), missing("nano")))
  func `a save by nano is one update`() async throws { try await expect(Act.nano) }

  @Test(.enabled(if: Machine.has("emacs"), missing("emacs")))
  func `a save by Emacs is one update`() async throws { try await expect(Act.emacs) }

  @Test(.enabled(if: Machine.has("rsync"), missing("rsync")))
  func `a file that rsync writes is one update`() async throws { try await expect(Act.rsync) }

  @Test(.enabled(if: Machine.has("python3"), missing("python3")))
  func `a save by unusual system calls is one update`() async throws { try await expect(Act.python) }

  @Test func `a save without a changed value is no update`() async throws { try await expect(Act.nothings) }

  @Test func `a command that moves or removes files is one update`() async throws {
    try await expect(Act.files)
  }

  @Test(.enabled(if: Machine.has("git"), missing("git")))
  func `a git command is one update`() async throws { try await expect(Act.git) }

  private static func missing(_ program: String) -> Comment {
    "\(program) is not installed: `make programs` installs the tools of the tests"
  }

  /// Acts mostly wait, so a few run at the same time. The table has them in their order.
  private func expect(_ acts: [Act]) async throws {
    #expect(!acts.isEmpty)
    let seen = Mutex<[Int: [String]]>([:])
    try await concurrently(acts.enumerated(), width: 8) { number, act in
      let lines = await ActsTests.lines(orErrorOf: act)
      seen.withLock { $0[number] = lines }
    }
    for (number, act) in acts.enumerated() {
      let lines = seen.withLock { $0[number] } ?? []
      ActsTable.shared.record(act, lines)
      #expect(lines == act.lines, "\(act.name)")
    }
  }

  /// The git repository, created once because this takes longer than an act.
  private static let repository = Task {
    let folder = try TemporaryFolder()
    try await folder.shell(Act.repositoryScript)
    return folder
  }

  /// Returns all lines that an act causes, shortened, or the error that ended it.
  private static func lines(orErrorOf act: Act) async -> [String] {
    do { return try await lines(of: act) } catch { return ["\(error)"] }
  }

  /// Returns all lines that an act causes, shortened.
  private static func lines(of act: Act) async throws -> [String] {
    let folder = try TemporaryFolder(["a.yaml": "rating: 5\n"])
    if act.isInRepository { try await folder.shell("cp -a '\(try await repository.value.path)/.' .") }
    try await folder.shell(act.before)
    // Some saves remove the file for a moment, which may be long on a busy machine. The table shows
    // what users see, so it uses the default.
    let stream = try WatchRun(folder, ActsTable.shared.isWanted ? [] : ["--settle", "200ms"], root: act.root)
    try await stream.begin()
    for _ in 0..<act.standingProblems { _ = try await stream.next() }
    try await folder.shell(act.script)
    var seen: [String] = []
    for _ in act.lines { seen.append(Act.summary(of: try await stream.next())) }
    // If the act causes more updates than expected, they come before these two: the insert comes at
    // once, the delete after a delay.
    try await folder.shell(
      "mkdir -p \(act.root); echo 'k: 1' > .sentinel; mv .sentinel \(act.root)/sentinel.yaml")
    seen += try await stream.lines(upTo: "files: 1 insert")
    try await folder.shell("rm \(act.root)/sentinel.yaml")
    return seen + (try await stream.lines(upTo: "files: 1 delete"))
  }
}

extension WatchRun {
  /// Returns the lines before the given one, shortened.
  fileprivate func lines(upTo last: String) async throws -> [String] {
    var lines: [String] = []
    while true {
      let line = Act.summary(of: try await next())
      if line == last { return lines }
      lines.append(line)
    }
  }
}
