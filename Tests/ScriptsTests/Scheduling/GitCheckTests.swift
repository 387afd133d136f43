import Files
import TestSupport
import Testing

@testable import Scripts
@testable import Watch

struct GitCheckTests {
  private let start = SuspendingClock.now

  /// Lets a run begin, with an operation in progress. Returns when it asks again, and the operation
  /// that took too long.
  private func begin(_ check: inout GitCheck, during operation: GitOperation?, after time: Duration) -> (
    next: Duration?, tooLong: GitOperation?
  ) {
    var asked = 0
    let first = check.mayBegin(at: start + time) { asked += 1 }
    let tooLong = check.record(operation, at: start + time)?.operation
    let next = check.nextTime
    let second = check.mayBegin(at: start + time) { asked += 1 }
    #expect(!first && second == (next == nil) && asked == 1)
    if next == nil { check.runBegan() }
    return (next.map { start.duration(to: $0) }, tooLong)
  }

  @Test func `a run waits in steps, and not beyond the limit`() {
    var check = GitCheck(limit: .milliseconds(600))
    for (time, next) in [(0, 250), (250, 500), (500, 600)] {
      let answer = begin(&check, during: .merge, after: .milliseconds(time))
      #expect(answer == (.milliseconds(next), nil))
    }
    #expect(begin(&check, during: .merge, after: .milliseconds(600)) == (nil, .merge))
    #expect(begin(&check, during: .merge, after: .milliseconds(700)) == (nil, nil))
    #expect(begin(&check, during: nil, after: .seconds(1)) == (nil, nil))
    #expect(begin(&check, during: .rebase, after: .seconds(2)) == (.seconds(2.25), nil))
  }

  @Test func `no limit at all means no wait`() {
    var check = GitCheck(limit: .zero)
    #expect(begin(&check, during: .revert, after: .zero) == (nil, .revert))
  }

  @Test func `each marker is found in the repository above the folder`() throws {
    for operation in GitOperation.allCases {
      let folder = try TemporaryFolder([".git/HEAD": "", "sub/deep/a.yaml": ""])
      #expect(GitOperation.inProgress(above: "\(folder.path)/sub/deep") == nil)
      try folder.write("", to: ".git/\(operation.rawValue)")
      #expect(GitOperation.inProgress(above: "\(folder.path)/sub/deep") == operation)
      #expect(GitOperation.inProgress(above: folder.path) == operation)
    }
  }

  @Test func `there is no operation outside of a repository`() throws {
    let folder = try TemporaryFolder(["MERGE_HEAD": "", ".git/MERGE_HEAD": ""])
    #expect(GitOperation.inProgress(above: folder.path) == nil)
    #expect(GitOperation.inProgress(above: "\(folder.path)/missing") == nil)
  }

  @Test(.enabled(if: Machine.canRun("git --version"), "needs git"))
  func `real operations are found, also in a linked work tree, until they end`() throws {
    let folder = try TemporaryFolder()
    try folder.shell(
      """
      git init -q -b main main; cd main
      echo 1 > a; git add a; git commit -qm 1; git branch other
      echo 2 > a; git commit -qam 2
      git worktree add -q ../tree other; cd ../tree; echo 3 > a; git commit -qam 3
      """)
    let (main, tree) = ("\(folder.path)/main", "\(folder.path)/tree")
    for (start, end, operation) in [
      ("git merge main", "git merge --abort", GitOperation.merge),
      ("git rebase main", "git rebase --abort", .rebase),
      ("git rebase --apply main", "git rebase --abort", .apply),
      ("git cherry-pick main", "git cherry-pick --abort", .cherryPick),
      ("git revert HEAD~1", "git revert --abort", .revert), ("git bisect start", "git bisect reset", .bisect),
    ] {
      try folder.shell("cd tree; \(start) > /dev/null 2>&1 || true")
      #expect(GitOperation.inProgress(above: tree) == operation)
      #expect(GitOperation.inProgress(above: main) == nil, "another work tree is idle")
      try folder.shell("cd tree; \(end)")
      #expect(GitOperation.inProgress(above: tree) == nil, "\(operation)")
    }
  }
}
