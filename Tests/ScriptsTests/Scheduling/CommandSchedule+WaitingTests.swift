import Files
import Query
@testable import Store
import TestSupport
import Testing

@testable import Scripts

/// Waiting for git, loops, and changes of the command itself.
struct CommandScheduleWaitingTests {
  // MARK: Git

  @Test func `a run waits for git, and gets everything that changed since`() throws {
    var bench = try ScheduleBench { $0.defersGit = .seconds(600) }
    bench.git = .rebase
    try bench.set("a", to: 1)
    #expect(bench.running == nil)
    bench.wait(.seconds(10))
    #expect(bench.gitChecks == 41)
    try bench.set("b", to: 1)
    #expect(bench.running == nil)
    bench.git = nil
    bench.wait(.milliseconds(250))
    #expect(Set(bench.runningIDs) == ["a", "b"])
    #expect(bench.reports.isEmpty)
    bench.endRun()
    let checks = bench.gitChecks
    bench.wait(.seconds(3600))
    #expect(bench.gitChecks == checks, "git is only checked while a run waits")
    bench.expectComplete()
  }

  @Test func `a run does not wait longer than the limit`() throws {
    var bench = try ScheduleBench { $0.defersGit = .seconds(60) }
    bench.git = .bisect
    try bench.set("a", to: 1)
    bench.wait(.seconds(59))
    #expect(bench.running == nil)
    bench.wait(.seconds(1))
    #expect(bench.runningIDs == ["a"])
    #expect(bench.reports == [.gitTooLong(.bisect, .seconds(60))])
    bench.endRun()
    try bench.set("b", to: 1)
    #expect(bench.runningIDs == ["b"], "it is reported and waited for once")
    bench.endRun()
    bench.git = nil
    try bench.set("c", to: 1)
    bench.endRun()
    bench.git = .merge
    try bench.set("d", to: 1)
    #expect(bench.running == nil, "the next operation is waited for")
  }

  @Test func `a change that is reverted during git ends the wait`() throws {
    var bench = try ScheduleBench { $0.defersGit = .seconds(60) }
    bench.git = .merge
    try bench.set("a", to: 1)
    bench.wait(.seconds(40))
    try bench.remove("a")
    bench.wait(.seconds(1000))
    #expect(bench.runs.isEmpty)
    try bench.set("a", to: 2)
    bench.wait(.seconds(59))
    #expect(bench.running == nil, "the wait begins again")
  }

  @Test func `each run of a round waits for git`() throws {
    var bench = try ScheduleBench {
      $0.defersGit = .seconds(60)
      $0.isEach = true
    }
    try bench.set("a", "b", to: 1)
    #expect(bench.runningIDs == ["a"])
    bench.git = .cherryPick
    bench.endRun()
    #expect(bench.running == nil)
    try bench.set("b", to: 7)
    bench.git = nil
    bench.wait(.seconds(1))
    #expect(bench.runningIDs == ["b"])
    bench.endRun()
    bench.expectComplete()
  }

  // MARK: Loops

  @Test func `runs that cause each other are reported and slowed down until another change comes`() throws {
    var bench = try ScheduleBench()
    try bench.set("a", to: 0)
    for run in 1...20 {
      bench.wait(.seconds(1))
      try bench.set("a", to: run)
      bench.endRun()
      #expect(bench.running != nil, "\(run)")
    }
    var pause = 1.0
    for run in 21...30 {
      bench.wait(.seconds(1))
      try bench.set("a", "b", "c", "d", to: run)
      bench.endRun()
      #expect(bench.running == nil)
      bench.wait(.seconds(pause - 0.1))
      #expect(bench.running == nil)
      bench.wait(.seconds(0.2))
      #expect(bench.running != nil)
      pause = min(pause * 2, 60)
    }
    #expect(bench.reports.count == 1)
    guard case .looping(runs: 20, let paths)? = bench.reports.first else {
      Issue.record("\(bench.reports)")
      return
    }
    #expect(paths.count == 3)
    try bench.set("a", to: 100)
    bench.endRun()
    bench.wait(.seconds(1))
    #expect(bench.running == nil)
    try bench.set("person", to: 1)
    #expect(Set(bench.runningIDs) == ["a", "person"])
    bench.endRun()
    bench.expectComplete()
  }

  @Test func `a command that restarts itself is a loop, too`() throws {
    for isEach in [false, true] {
      var bench = try ScheduleBench {
        $0.onBusy = .restart
        $0.isEach = isEach
      }
      try bench.set("a", to: 0)
      for run in 1...25 where bench.running != nil {
        bench.wait(.milliseconds(10))
        try bench.set("a", to: run)
        bench.endRun(.stopped)
      }
      #expect(bench.running == nil)
      #expect(bench.reports.count == 1)
      bench.wait(.seconds(2))
      bench.endRun()
      bench.expectComplete()
    }
  }

  @Test func `changes of other programs are not a loop`() throws {
    var bench = try ScheduleBench()
    for run in 1...100 {
      try bench.set("a", to: run)
      bench.wait(.seconds(1))
      bench.endRun()
      bench.wait(.seconds(1))
    }
    #expect(bench.reports.isEmpty)
  }

  @Test func `a failing command that changes its folder is a loop, too`() throws {
    var bench = try ScheduleBench()
    try bench.set("a", to: 0)
    for run in 1...25 where bench.running != nil {
      bench.wait(.seconds(1))
      try bench.set("a", to: run)
      bench.endRun(.exited(1))
    }
    #expect(bench.running == nil)
    #expect(bench.reports.contains { if case .looping = $0 { true } else { false } })
    bench.expectNothingLost()
  }
}
