import Files
import TestSupport
import Testing

@testable import Sinks
@testable import Watch

struct GitCheckTests {
  private let start = SuspendingClock.now

  @Test func `a run waits in steps, and not beyond the limit`() {
    var check = GitCheck(limit: .milliseconds(600))
    let decisions = [0, 250, 500, 600, 700].map { time in
      check.decide(.merge, at: start + .milliseconds(time))
    }
    #expect(
      decisions == [
        .wait(until: start + .milliseconds(250)), .wait(until: start + .milliseconds(500)),
        .wait(until: start + .milliseconds(600)),
        .runAnyway(.merge), .run,
      ])
    let idle = check.decide(nil, at: start + .seconds(1))
    #expect(idle == .run)
    let next = check.decide(.rebase, at: start + .seconds(2))
    #expect(next == .wait(until: start + .seconds(2.25)))
  }

  @Test func `no limit at all means no wait`() {
    var check = GitCheck(limit: .zero)
    let decision = check.decide(.revert, at: start)
    #expect(decision == .runAnyway(.revert))
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
