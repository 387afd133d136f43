import TestSupport
import Testing

/// Saves by real editors and tools, and commands of git. One save or command is one update, no item
/// is deleted in between, and an act that changes no value is no update.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ActsTests {
  @Test(arguments: Act.saves) func `a save is one update`(act: Act) async throws { try await expect(act) }

  @Test(.enabled(if: Machine.has("vim"), missing("vim")), arguments: Act.vim)
  func `a save by vim is one update`(act: Act) async throws { try await expect(act) }

  @Test(.enabled(if: Machine.has("nano"), missing("nano")), arguments: Act.nano)
  func `a save by nano is one update`(act: Act) async throws { try await expect(act) }

  @Test(.enabled(if: Machine.has("emacs"), missing("emacs")), arguments: Act.emacs)
  func `a save by Emacs is one update`(act: Act) async throws { try await expect(act) }

  @Test(.enabled(if: Machine.has("rsync"), missing("rsync")), arguments: Act.rsync)
  func `a file that rsync writes is one update`(act: Act) async throws { try await expect(act) }

  @Test(.enabled(if: Machine.has("python3"), missing("python3")), arguments: Act.python)
  func `a save by unusual system calls is one update`(act: Act) async throws { try await expect(act) }

  @Test(arguments: Act.nothings) func `a save without a changed value is no update`(act: Act) async throws { try await expect(act) }

  @Test(arguments: Act.files) func `a command that moves or removes files is one update`(act: Act) async throws { try await expect(act) }

  @Test(.enabled(if: Machine.has("git"), missing("git")), arguments: Act.git)
  func `a git command is one update`(act: Act) async throws { try await expect(act) }

  private static func missing(_ program: String) -> Comment {
    "\(program) is not installed: `make programs` installs the tools of the tests"
  }

  private func expect(_ act: Act) async throws {
    let seen = try await ActsTests.lines(of: act)
    ActsTable.shared.record(act, seen)
    #expect(seen == act.lines)
  }

  /// The git repository, created once because this takes longer than an act.
  private static let repository = Task {
    let folder = try TemporaryFolder()
    try await folder.shell(Act.repositoryScript)
    return folder
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
    try await folder.shell("mkdir -p \(act.root); echo 'k: 1' > .sentinel; mv .sentinel \(act.root)/sentinel.yaml")
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
