import Files
import Testing

@testable import Watch

/// Settling while git is at work. Times as in `SettlerBench`.
@Suite struct GitSessionTests {
  var bench = SettlerBench()

  @Test mutating func `a checkout is one batch`() {
    bench.marker("index.lock", true, at: 0)
    for file in 0..<5 { bench.rewrite("f\(file)", at: 5 + file * 10) }
    bench.record(.vanished(cookie: 0), "gone", at: 60)
    #expect(bench.due(at: 60).isEmpty)
    bench.marker("index.lock", false, at: 70)
    #expect(bench.run() == ["220 git: f0 f1 f2 f3 f4 gone"])
  }

  @Test mutating func `a switch is due soon after HEAD moved`() {
    bench.marker("index.lock", true, at: 0)
    bench.rewrite("a", at: 5)
    bench.record(.vanished(cookie: 0), "late", at: 9)
    bench.marker("index.lock", false, at: 10)
    bench.marker("HEAD.lock", true, at: 12)
    bench.marker("HEAD.lock", false, at: 12)
    bench.headReplaced(at: 12)
    #expect(bench.run() == ["42 git: a late"])
  }

  @Test mutating func `git status delays nothing`() {
    bench.marker("index.lock", true, at: 0)
    bench.record(.written(isEmpty: true), "saved", at: 1)
    bench.record(.completed(isEmpty: false), "saved", at: 2)
    bench.record(.arrived(cookie: 4), "replaced", at: 2)
    #expect(bench.due(at: 2) == ["replaced saved"])
    bench.marker("index.lock", false, at: 3)
    bench.rewrite("after", at: 4)
    #expect(bench.due(at: 4) == ["after"])
    #expect(bench.settler.deadline == nil)
  }

  /// git status holds the lock while it reads the work tree.
  @Test mutating func `an editor's save under the lock of git status is not delayed`() {
    bench.marker("index.lock", true, at: 0)
    bench.record(.vanished(cookie: 5), "a", at: 10)
    bench.record(.created(isEmpty: true), "a", at: 11)
    bench.record(.written(isEmpty: false), "a", at: 12)
    bench.record(.completed(isEmpty: false), "a", at: 13)
    #expect(bench.due(at: 13) == ["a"])
    bench.drop("index.lock", at: 40)
    #expect(bench.settler.deadline == nil)
  }

  /// `git stash --include-untracked` does that.
  @Test mutating func `a file removed just before the lock belongs to the command`() {
    bench = SettlerBench(timing: SettleTiming(settle: .milliseconds(300)))
    bench.record(.vanished(cookie: 0), "untracked", at: 0)
    bench.marker("index.lock", true, at: 20)
    bench.rewrite("a", at: 25)
    bench.marker("index.lock", false, at: 30)
    bench.record(.vanished(cookie: 0), "users", at: 100)
    #expect(bench.run() == ["180 git: a untracked", "400 users"])
  }

  /// `git restore` writes no index.
  @Test mutating func `a dropped lock ends the changes made under it`() {
    bench.marker("index.lock", true, at: 0)
    bench.rewrite("a", at: 10)
    bench.record(.created(isEmpty: true), "saved", at: 30)
    #expect(bench.due(at: 30).isEmpty)
    bench.drop("index.lock", at: 40)
    #expect(bench.due(at: 40) == ["git: a"])
    bench.record(.written(isEmpty: false), "saved", at: 50)
    bench.record(.completed(isEmpty: false), "saved", at: 50)
    #expect(bench.due(at: 50) == ["saved"])
    #expect(bench.settler.deadline == nil)
  }

  @Test mutating func `a file that is gone when a lock is dropped keeps its grace period`() {
    bench.marker("index.lock", true, at: 0)
    bench.rewrite("a", at: 10)
    bench.record(.vanished(cookie: 0), "gone", at: 20)
    bench.record(.vanished(cookie: 0), "replaced", at: 30)
    bench.drop("index.lock", at: 40)
    #expect(bench.due(at: 60).isEmpty)
    bench.record(.created(isEmpty: true), "replaced", at: 70)
    bench.record(.completed(isEmpty: false), "replaced", at: 80)
    #expect(bench.run() == ["100 git: a gone replaced"])
  }

  /// Under load the thread wakes up so late that the listed files of a new folder are due together
  /// with the end of the command.
  @Test mutating func `a late wake-up decides as if in time`() {
    bench.marker("index.lock", true, at: 0)
    bench.rewrite("a", at: 10)
    bench.record(.created(isEmpty: false), "new/listed", at: 20)
    bench.record(.vanished(cookie: 0), "gone", at: 30)
    bench.drop("index.lock", at: 40)
    #expect(bench.due(at: 500) == ["git: a gone new/listed"])
  }

  @Test mutating func `a file listed under a lock belongs to git when the lock is dropped`() {
    bench.marker("index.lock", true, at: 0)
    bench.rewrite("a", at: 10)
    bench.record(.created(isEmpty: false), "new/listed", at: 20)
    bench.drop("index.lock", at: 40)
    #expect(bench.due(at: 40) == ["git: a new/listed"])
    #expect(bench.settler.deadline == nil)
  }

  /// `git stash --include-untracked` removes the files without a lock, between the stash's own
  /// index and `git reset`.
  @Test mutating func `untracked files that are stashed belong to git`() {
    bench.marker("index.lock", true, at: 0)
    bench.marker("index.lock", false, at: 1)
    bench.marker("index.stash.12", true, at: 10)
    bench.drop("index.stash.12", at: 20)
    for name in ["a", "b"] { bench.record(.vanished(cookie: 0), name, at: 30) }
    #expect(bench.due(at: 110).isEmpty)
    bench.marker("index.lock", true, at: 120)
    bench.marker("index.lock", false, at: 125)
    bench.git(.origHeadReplaced, at: 126)
    #expect(bench.run() == ["276 git: a b"])
  }

  @Test mutating func `untracked files that a stash restores belong to git`() {
    bench.marker("index.stash.12", true, at: 0)
    for name in ["a", "b"] { bench.rewrite(name, at: 5) }
    bench.drop("index.stash.12", at: 10)
    #expect(bench.due(at: 10) == ["git: a b"])
    bench.record(.vanished(cookie: 0), "users", at: 20)
    #expect(bench.run() == ["80 users"])
  }

  /// `git rebase --apply` begins as a checkout does, and then takes long to write its patches.
  @Test mutating func `a rebase is not over when HEAD has moved`() {
    bench.marker("index.lock", true, at: 0)
    bench.rewrite("a", at: 5)
    bench.marker("index.lock", false, at: 10)
    bench.git(.origHeadReplaced, at: 11)
    bench.headReplaced(at: 12)
    #expect(bench.due(at: 100).isEmpty)
    bench.marker("rebased-patches", true, at: 100)
    bench.marker("rebase-apply", true, at: 900)
    bench.marker("index.lock", true, at: 1000)
    bench.rewrite("b", at: 1010)
    bench.marker("index.lock", false, at: 1020)
    bench.marker("rebase-apply", false, at: 1030)
    bench.marker("rebased-patches", false, at: 1040)
    #expect(bench.run() == ["1190 git: a b"])
    // A checkout after that is over at once again.
    bench.marker("index.lock", true, at: 2000)
    bench.rewrite("a", at: 2005)
    bench.marker("index.lock", false, at: 2010)
    bench.headReplaced(at: 2012)
    #expect(bench.run() == ["2042 git: a"])
  }

  @Test mutating func `a dropped lock does not end a command with several locks`() {
    bench.marker("index.lock", true, at: 0)
    bench.rewrite("a", at: 10)
    bench.marker("index.lock", false, at: 20)
    bench.marker("index.lock", true, at: 30)
    bench.drop("index.lock", at: 40)
    #expect(bench.run() == ["170 git: a"])
  }

  @Test mutating func `repeated git status does not hold back a checkout`() {
    bench.marker("index.lock", true, at: 0)
    bench.rewrite("a", at: 5)
    bench.marker("index.lock", false, at: 10)
    bench.headReplaced(at: 12)
    var batches: [String] = []
    for time in stride(from: 13, to: 400, by: 20) {
      bench.marker("index.lock", true, at: time)
      batches += bench.due(at: time + 18)
      bench.drop("index.lock", at: time + 19)
    }
    #expect(batches == ["git: a"])
  }

  @Test mutating func `a command that begins while another is held joins it`() {
    bench.marker("index.lock", true, at: 0)
    bench.rewrite("a", at: 5)
    bench.marker("index.lock", false, at: 10)
    bench.marker("index.lock", true, at: 100)
    #expect(bench.due(at: 170).isEmpty)
    bench.rewrite("b", at: 180)
    bench.marker("index.lock", false, at: 200)
    #expect(bench.run() == ["350 git: a b"])
  }

  @Test mutating func `a rename by git belongs to git`() {
    bench.marker("index.lock", true, at: 0)
    bench.record(.vanished(cookie: 1), "a", at: 5)
    bench.record(.arrived(cookie: 1), "b", at: 5)
    bench.marker("index.lock", false, at: 10)
    #expect(bench.run() == ["160 git: a b"])
  }

  @Test mutating func `a rename beside git status does not belong to git`() {
    bench.marker("index.lock", true, at: 0)
    bench.record(.vanished(cookie: 1), "a", at: 5)
    bench.record(.arrived(cookie: 1), "b", at: 5)
    bench.drop("index.lock", at: 10)
    #expect(bench.run() == ["65 a b"])
  }

  @Test mutating func `many locks with short gaps are one command`() {
    for step in 0..<4 {
      let start = step * 180
      bench.marker("index.lock", true, at: start)
      bench.rewrite("f\(step)", at: start + 50)
      bench.marker("index.lock", false, at: start + 100)
      #expect(bench.due(at: start + 179).isEmpty)
    }
    #expect(bench.run() == ["790 git: f0 f1 f2 f3"])
  }

  @Test mutating func `a rebase is held between its locks`() {
    bench.marker("rebase-merge", true, at: 0)
    for step in 0..<10 {
      bench.marker("index.lock", true, at: step * 300)
      bench.rewrite("f\(step)", at: step * 300 + 10)
      bench.marker("index.lock", false, at: step * 300 + 20)
    }
    #expect(bench.due(at: 3000).isEmpty)
    bench.marker("rebase-merge", false, at: 3000)
    #expect(bench.run() == ["3150 git: f0 f1 f2 f3 f4 f5 f6 f7 f8 f9"])
  }

  @Test mutating func `a rebase that stops at a conflict is reported soon`() {
    bench.marker("rebase-merge", true, at: 0)
    bench.marker("index.lock", true, at: 10)
    bench.rewrite("conflict", at: 20)
    bench.marker("index.lock", false, at: 30)
    bench.marker("REBASE_HEAD", true, at: 40)
    #expect(bench.run() == ["1040 git: conflict"])
    // When it goes on, its steps are one batch again, although the markers of the stop are still
    // there.
    for step in 0..<4 {
      bench.marker("index.lock", true, at: 9000 + step * 500)
      bench.rewrite("f\(step)", at: 9010 + step * 500)
      bench.marker("index.lock", false, at: 9020 + step * 500)
      #expect(bench.due(at: 9499 + step * 500).isEmpty)
    }
    bench.marker("REBASE_HEAD", false, at: 11_000)
    bench.marker("rebase-merge", false, at: 11_001)
    #expect(bench.run() == ["11151 git: f0 f1 f2 f3"])
  }

  /// Between the locks the work tree is consistent.
  @Test mutating func `a rebase that takes too long is reported between its steps`() {
    bench.marker("rebase-merge", true, at: 0)
    var batches: [String] = []
    for time in stride(from: 0, to: 6000, by: 70) {
      bench.marker("index.lock", true, at: time)
      bench.rewrite("a", at: time + 10)
      batches += bench.due(at: time + 59)
      bench.marker("index.lock", false, at: time + 60)
      batches += bench.due(at: time + 60).map { "\(time + 60) \($0)" }
    }
    #expect(batches == ["5030 git: a"])
  }

  @Test mutating func `a checkout that takes too long is reported once per longest wait`() {
    bench.marker("index.lock", true, at: 0)
    var times: [Int] = []
    for time in stride(from: 10, to: 12_000, by: 100) {
      bench.rewrite("f\(time)", at: time)
      if !bench.due(at: time).isEmpty { times.append(time) }
    }
    #expect(times == [5010, 10_110])
    bench.marker("index.lock", false, at: 12_000)
    #expect(bench.run().count == 1)
  }

  @Test mutating func `a file that is unfinished when the wait ends is in the next batch`() {
    bench.marker("index.lock", true, at: 0)
    for time in stride(from: 10, to: 5010, by: 100) { bench.rewrite("a", at: time) }
    bench.record(.vanished(cookie: 0), "b", at: 5009)
    #expect(bench.due(at: 5010) == ["git: a"])
    bench.record(.created(isEmpty: true), "b", at: 5011)
    bench.record(.completed(isEmpty: false), "b", at: 5012)
    bench.marker("index.lock", false, at: 5013)
    #expect(bench.run() == ["5163 git: b"])
  }

  @Test mutating func `a reader can tell that git changes a path`() {
    bench.marker("index.lock", true, at: 0)
    #expect(!bench.isGitChanging("a"))
    bench.record(.vanished(cookie: 0), "a", at: 5)
    #expect(["a", "b", "/"].map(bench.isGitChanging) == [true, false, true])
    bench.record(.created(isEmpty: true), "a", at: 5)
    bench.record(.completed(isEmpty: false), "a", at: 5)
    #expect(bench.isGitChanging("a"))
    bench.marker("index.lock", false, at: 6)
    #expect(bench.run() == ["156 git: a"])
    #expect(!bench.isGitChanging("a"))
  }

  @Test mutating func `a rebase that stops is ignored after the longest wait`() {
    bench.marker("rebase-merge", true, at: 0)
    bench.marker("index.lock", true, at: 10)
    bench.rewrite("conflict", at: 20)
    bench.marker("index.lock", false, at: 30)
    #expect(bench.run() == ["5020 git: conflict"])
    // The next changes are the user's and are not held.
    bench.rewrite("conflict", at: 9000)
    #expect(bench.due(at: 9000) == ["conflict"])
    // Its next step is one batch again.
    bench.marker("index.lock", true, at: 10_000)
    bench.rewrite("next", at: 10_010)
    bench.marker("index.lock", false, at: 10_020)
    bench.marker("rebase-merge", false, at: 10_100)
    #expect(bench.run() == ["10250 git: next"])
  }

  @Test mutating func `a merge that conflicts is reported soon`() {
    bench.marker("index.lock", true, at: 0)
    bench.rewrite("conflict", at: 20)
    bench.marker("index.lock", false, at: 30)
    bench.marker("MERGE_HEAD", true, at: 40)
    #expect(bench.run() == ["1040 git: conflict"])
  }

  @Test mutating func `a stale lock does not hold anything after the longest wait`() {
    bench.marker("index.lock", true, at: 0)
    bench.rewrite("a", at: 10)
    #expect(bench.run() == ["5010 git: a"])
    bench.rewrite("b", at: 7000)
    #expect(bench.due(at: 7000) == ["b"])
  }

  @Test mutating func `of the markers that are there at the start only a lock holds changes`() {
    bench.found(["rebase-merge", "MERGE_HEAD"], at: 0)
    bench.rewrite("a", at: 10)
    #expect(bench.due(at: 10) == ["a"])
    bench.found(["index.lock"], at: 20)
    bench.rewrite("b", at: 30)
    #expect(bench.due(at: 30).isEmpty)
    bench.marker("index.lock", false, at: 40)
    #expect(bench.run() == ["190 git: b"])
  }

  @Test mutating func `an overflow during a checkout belongs to it`() {
    bench.marker("index.lock", true, at: 0)
    bench.rewrite("a", at: 5)
    bench.overflowed(at: 10)
    bench.record(.vanished(cookie: 0), "b", at: 20)
    #expect(bench.needsRescan(at: 80))
    bench.rescanned(at: 80)
    bench.marker("index.lock", false, at: 90)
    #expect(bench.run() == ["240 git: a b /"])
  }

  @Test mutating func `the end of a command is found after an overflow`() {
    bench.marker("index.lock", true, at: 0)
    bench.rewrite("a", at: 5)
    bench.overflowed(at: 10)
    #expect(bench.needsRescan(at: 70))
    bench.recovered([], at: 70)
    bench.rescanned(at: 70)
    #expect(bench.run() == ["220 git: a /"])
  }

  @Test mutating func `any activity in the repository shows that the command goes on`() {
    bench.marker("index.lock", true, at: 0)
    bench.rewrite("a", at: 5)
    bench.marker("index.lock", false, at: 10)
    bench.activity(at: 140)
    #expect(bench.due(at: 200).isEmpty)
    bench.marker("index.lock", true, at: 280)
    bench.rewrite("b", at: 285)
    bench.marker("index.lock", false, at: 290)
    #expect(bench.run() == ["440 git: a b"])
  }

  @Test mutating func `a folder that a branch lacks belongs to the checkout`() {
    bench.marker("index.lock", true, at: 0)
    bench.record(.vanished(cookie: 0), "a", at: 5)
    bench.record(.vanished(cookie: 0), "/", at: 6)
    bench.marker("index.lock", false, at: 7)
    #expect(bench.run() == ["157 git: a /"])
  }

  /// `rerere` resolves a conflict in place after git wrote the file in its own way.
  @Test mutating func `a path held for git stays held`() {
    bench.marker("index.lock", true, at: 0)
    bench.rewrite("a", at: 5)
    bench.record(.written(isEmpty: false), "a", at: 6)
    bench.record(.completed(isEmpty: false), "a", at: 7)
    #expect(bench.due(at: 7).isEmpty)
    bench.marker("index.lock", false, at: 8)
    #expect(bench.run() == ["158 git: a"])
  }
}
