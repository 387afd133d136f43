import TestSupport
import Testing

/// What editors, tools and git do, by the real programs: one save or one command is one update, nothing seems to be deleted in between, and what changes
/// no value is none.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ActsTests {
  @Test(arguments: Act.saves) func aSaveIsOneUpdate(act: Act) async throws { try await expect(act) }

  @Test(.enabled(if: Machine.has("vim"), missing("vim")), arguments: Act.vim)
  func aSaveByVimIsOneUpdate(act: Act) async throws { try await expect(act) }

  @Test(.enabled(if: Machine.has("nano"), missing("nano")), arguments: Act.nano)
  func aSaveByNanoIsOneUpdate(act: Act) async throws { try await expect(act) }

  @Test(.enabled(if: Machine.has("emacs"), missing("emacs")), arguments: Act.emacs)
  func aSaveByEmacsIsOneUpdate(act: Act) async throws { try await expect(act) }

  @Test(.enabled(if: Machine.has("rsync"), missing("rsync")), arguments: Act.rsync)
  func aFileByRsyncIsOneUpdate(act: Act) async throws { try await expect(act) }

  @Test(.enabled(if: Machine.has("python3"), missing("python3")), arguments: Act.python)
  func aSaveByUnusualCallsIsOneUpdate(act: Act) async throws { try await expect(act) }

  @Test(arguments: Act.nothings) func whatChangesNoValueIsNoUpdate(act: Act) async throws { try await expect(act) }

  @Test(arguments: Act.files) func whatIsDoneToFilesIsOneUpdate(act: Act) async throws { try await expect(act) }

  @Test(.enabled(if: Machine.has("git"), missing("git")), arguments: Act.git)
  func aGitCommandIsOneUpdate(act: Act) async throws { try await expect(act) }

  private static func missing(_ program: String) -> Comment { "\(program) is not installed: `make programs` installs what the tests use" }

  private func expect(_ act: Act) async throws {
    let seen = try await ActsTests.lines(of: act)
    ActsTable.shared.note(act, seen)
    #expect(seen == act.lines)
  }

  /// Made once, for it takes longer than an act.
  private static let repository = Task {
    let folder = try TemporaryFolder()
    try await folder.shell(Act.repositoryScript)
    return folder
  }

  /// All lines that come of an act, in short.
  private static func lines(of act: Act) async throws -> [String] {
    let folder = try TemporaryFolder(["a.yaml": "rating: 5\n"])
    if act.isInRepository { try await folder.shell("cp -a '\(try await repository.value.path)/.' .") }
    try await folder.shell(act.before)
    // Some saves take the file away for a moment, which on a machine that does much else may be a long one. The table is made with what users have.
    let stream = try WatchRun(folder, ActsTable.shared.isWanted ? [] : ["--settle", "200ms"], root: act.root)
    try await stream.begin()
    for _ in 0..<act.standingProblems { _ = try await stream.next() }
    try await folder.shell(act.script)
    var seen: [String] = []
    for _ in act.lines { seen.append(Act.summary(of: try await stream.next())) }
    // What is to be one update and comes in two is seen before these: the first comes at once, the second after a grace.
    try await folder.shell("mkdir -p \(act.root); echo 'k: 1' > .sentinel; mv .sentinel \(act.root)/sentinel.yaml")
    seen += try await stream.lines(upTo: "files: 1 insert")
    try await folder.shell("rm \(act.root)/sentinel.yaml")
    return seen + (try await stream.lines(upTo: "files: 1 delete"))
  }
}

extension WatchRun {
  /// What comes before a line, in short.
  fileprivate func lines(upTo last: String) async throws -> [String] {
    var lines: [String] = []
    while true {
      let line = Act.summary(of: try await next())
      if line == last { return lines }
      lines.append(line)
    }
  }
}
