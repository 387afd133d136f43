import SampleLists
import Query
@testable import Store
import TestSupport
import Testing

@testable import Scripts

/// Runs for changes, one at a time, and what happens when they fail.
struct CommandScheduleTests {
  private static let failure = RunEnd.exited(3)

  @Test func `a change runs at once, and changes during a run are one more run`() throws {
    var bench = try ScheduleBench()
    try bench.set("a", to: 1)
    #expect(bench.runningIDs == ["a"])
    try bench.set("b", to: 1)
    try bench.set("a", to: 2)
    try bench.set("c", to: 1)
    #expect(bench.runs.count == 1)
    bench.endRun()
    #expect(bench.runs.count == 2)
    #expect(Set(bench.runningIDs) == ["a", "b", "c"])
    bench.endRun()
    #expect(bench.running == nil)
    #expect(bench.schedule.deadline == nil)
    bench.expectComplete()
  }

  @Test func `a failed change comes with the next one, not before`() throws {
    var bench = try ScheduleBench()
    try bench.set("a", to: 1)
    bench.endRun(CommandScheduleTests.failure)
    #expect(bench.reports == [.failed(CommandScheduleTests.failure, item: nil, .nextChange)])
    bench.wait(.seconds(3600))
    #expect(bench.runs.count == 1)
    try bench.set("b", to: 1)
    #expect(Set(bench.runningIDs) == ["a", "b"])
    bench.endRun()
    bench.expectComplete()
  }

  @Test func `a change during a failing run starts the next one`() throws {
    var bench = try ScheduleBench()
    try bench.set("a", to: 1)
    try bench.set("b", to: 1)
    bench.endRun(.signaled(9))
    #expect(Set(bench.runningIDs) == ["a", "b"])
    bench.endRun(.timedOut)
    #expect(bench.running == nil)
    #expect(bench.successes.isEmpty)
    bench.expectNothingLost()
  }

  @Test func `an insert that failed and was deleted is taken back`() throws {
    for onError in CommandSettings.FailureAction.allCases where onError != .stop {
      var bench = try ScheduleBench { $0.onError = onError }
      try bench.set("a", to: 1)
      bench.endRun(CommandScheduleTests.failure)
      try bench.remove("a")
      bench.wait(.seconds(3600))
      #expect(bench.runs.count == 2, "\(onError)")
      #expect(bench.running?.diff.isEmpty == true, "\(onError)")
      #expect(bench.running?.takenBack.map(\.isDeleted) == [true], "\(onError)")
      #expect(bench.running?.takenBack.first?.path == "a.yaml", "\(onError)")
      bench.endRun()
      bench.expectComplete("\(onError)")
      try bench.set("b", to: 1)
      #expect(bench.runningIDs == ["b"], "\(onError)")
    }
  }

  @Test func `a run for what is taken back is repeated until it succeeds, also after a restart`() throws {
    var bench = try ScheduleBench(["a": ["k": .int(1)]])
    try bench.remove("a")
    bench.endRun(CommandScheduleTests.failure)
    try bench.set("a", to: 1)
    #expect(bench.running?.takenBack.map(\.isDeleted) == [false])
    bench.endRun(.timedOut)
    #expect(bench.schedule.state == .waiting)
    try bench.restart()
    #expect(bench.running?.cause == .resumed)
    #expect(bench.runningIDs == ["a"])
    bench.endRun()
    bench.expectComplete()
    try bench.restart()
    #expect(bench.running == nil)
  }

  @Test func `with each, what is taken back has a run for each item, and a success covers only its own`()
    throws
  {
    var bench = try ScheduleBench { $0.isEach = true }
    try bench.set("a", "b", "c", to: 1)
    bench.endRuns { _ in CommandScheduleTests.failure }
    try bench.change { items in
      items["a"] = nil
      items["b"] = nil
      items["c"] = ["k": .int(2)]
    }
    #expect(bench.runningIDs == ["c"])
    bench.endRun()
    #expect(bench.runningIDs == ["a"])
    bench.endRun(CommandScheduleTests.failure)
    #expect(bench.runningIDs == ["b"])
    bench.endRun()
    #expect(bench.running == nil)
    try bench.set("c", to: 3)
    #expect(bench.runningIDs == ["c"])
    bench.endRun()
    #expect(bench.runningIDs == ["a"])
    bench.endRun()
    bench.expectComplete()
  }

  @Test func `the time of an update is that of its first attempt's changes only`() throws {
    var bench = try ScheduleBench { $0.onError = .retry }
    let noticed = bench.now
    try bench.change(noticed: noticed) { $0["a"] = ["k": .int(1)] }
    #expect(bench.running?.since == noticed)
    bench.endRun(CommandScheduleTests.failure)
    bench.wait(.seconds(2))
    // It is a retry, whose delay is not the time until the change was delivered.
    #expect(bench.runningIDs == ["a"])
    #expect(bench.running?.since == nil)
    let later = bench.now
    try bench.change(noticed: later) { $0["b"] = ["k": .int(1)] }
    bench.endRun(CommandScheduleTests.failure)
    bench.wait(.seconds(5))
    #expect(Set(bench.runningIDs) == ["a", "b"])
    #expect(bench.running?.since == later)
  }

  @Test func `a change that is reverted during its run is delivered after it`() throws {
    for onBusy in CommandSettings.BusyAction.allCases {
      var bench = try ScheduleBench(["a": ["k": .int(1)]]) { $0.onBusy = onBusy }
      try bench.set("a", to: 2)
      try bench.set("a", to: 1)
      // There is nothing to run again with, and the command would keep the half of a run.
      #expect(bench.stops == 0, "\(onBusy)")
      bench.endRun()
      #expect(bench.runningIDs == ["a"], "\(onBusy)")
      bench.endRun()
      bench.expectComplete("\(onBusy)")
    }
  }

  @Test func `retry waits longer after each failure, and a success resets it`() throws {
    var bench = try ScheduleBench { $0.onError = .retry }
    try bench.set("a", to: 1)
    var plain = 1.0
    for run in 1...12 {
      bench.endRun(CommandScheduleTests.failure)
      let failed = bench.now
      try bench.set("b", to: run)
      #expect(bench.runs.count == run, "a change does not end the wait")
      bench.wait(.seconds(300))
      #expect(bench.runs.count == run + 1)
      let delay = failed.duration(to: bench.begins[run])
      #expect(delay >= .seconds(plain * 0.9))
      #expect(delay <= .seconds(min(plain * 1.1, 300)))
      #expect(Set(bench.runningIDs) == ["a", "b"])
      plain = min(plain * 2, 300)
    }
    bench.endRun()
    bench.expectComplete()
    try bench.set("a", to: 2)
    bench.endRun(CommandScheduleTests.failure)
    bench.wait(.seconds(1.1))
    #expect(bench.running != nil)
  }

  @Test func `a command that fails too often is parked at its position until it is continued`() throws {
    var bench = try ScheduleBench {
      $0.onError = .retry
      $0.maxFailures = 3
    }
    try bench.set("a", to: 1)
    for _ in 0..<3 {
      bench.endRun(CommandScheduleTests.failure)
      bench.wait(.seconds(400))
    }
    #expect(bench.runs.count == 3)
    #expect(bench.reports.last == .failed(CommandScheduleTests.failure, item: nil, .parked(failures: 3)))
    try bench.set("b", to: 1)
    bench.wait(.seconds(100_000))
    #expect(bench.runs.count == 3)
    #expect(bench.schedule.deadline == nil)
    bench.expectNothingLost()
    bench.continueParked()
    #expect(bench.reports.last == .continued)
    #expect(Set(bench.runningIDs) == ["a", "b"])
    bench.endRun(CommandScheduleTests.failure)
    bench.wait(.seconds(1.1))
    bench.endRun()
    bench.expectComplete()
    bench.continueParked()
    #expect(bench.reports.filter { $0 == .continued }.count == 1)
  }

  @Test func `continuing does not end a wait that is not over`() throws {
    var bench = try ScheduleBench { $0.onError = .retry }
    try bench.set("a", to: 1)
    bench.endRun(CommandScheduleTests.failure)
    bench.continueParked()
    #expect(bench.running == nil)
    #expect(!bench.reports.contains(.continued))
  }

  @Test func `stop ends with the status of the run`() throws {
    for (end, status) in [
      (RunEnd.exited(3), 3), (.signaled(9), 137), (.timedOut, 124), (.notStarted("no"), 126),
    ] {
      var bench = try ScheduleBench { $0.onError = .stop }
      try bench.set("a", to: 1)
      bench.endRun()
      #expect(bench.end == nil)
      try bench.set("a", to: 2)
      bench.endRun(end)
      #expect(bench.end == .status(CInt(status)))
      #expect(bench.successes.count == 1)
    }
  }

  @Test func `restart stops the run for a new change, which is not a failure`() throws {
    var bench = try ScheduleBench {
      $0.onBusy = .restart
      $0.onError = .retry
      $0.maxFailures = 1
    }
    try bench.set("a", to: 1)
    try bench.set("b", to: 1)
    #expect(bench.stops == 1)
    try bench.set("c", to: 1)
    #expect(bench.stops == 1, "it is stopped once")
    bench.endRun(.stopped)
    #expect(Set(bench.runningIDs) == ["a", "b", "c"])
    #expect(bench.reports.isEmpty)
    try bench.set("d", to: 1)
    // A command may handle the signal and end in its own way.
    bench.endRun(.exited(1))
    #expect(bench.runningIDs.count == 4)
    #expect(bench.reports.isEmpty)
    try bench.set("e", to: 1)
    bench.endRun()
    #expect(bench.runningIDs == ["e"], "a run that succeeded while it was stopped counts")
    bench.endRun()
    bench.expectComplete()
  }

  @Test func `once ends after what was there at the start`() throws {
    var idle = try ScheduleBench { $0.runsOnce = true }
    idle.start()
    #expect(idle.end == .status(0))
    for (end, status) in [(RunEnd.exited(0), 0), (.exited(7), 7)] {
      var bench = try ScheduleBench { $0.runsOnce = true }
      try bench.set("a", to: 1)
      bench.start()
      #expect(bench.end == nil)
      bench.endRun(end)
      #expect(bench.end == .status(CInt(status)))
      bench.expectNothingLost()
    }
  }

  @Test func `once with retry ends with a success or when it is parked`() throws {
    for failures in [2, 3] {
      var bench = try ScheduleBench {
        $0.runsOnce = true
        $0.onError = .retry
        $0.maxFailures = 3
      }
      try bench.set("a", to: 1)
      bench.start()
      for _ in 0..<failures {
        bench.endRun(CommandScheduleTests.failure)
        bench.wait(.seconds(3))
      }
      if failures == 2 { bench.endRun() }
      #expect(bench.end == .status(failures == 2 ? 0 : 3))
      // Nothing can be continued after the end.
      if failures == 3 {
        #expect(bench.reports.last == .failed(CommandScheduleTests.failure, item: nil, .nextChange))
      }
    }
  }

  @Test func `the end of the list is after the runs that need not wait`() throws {
    var bench = try ScheduleBench { $0.onError = .retry }
    try bench.set("a", to: 1)
    try bench.set("b", to: 1)
    bench.close()
    #expect(bench.end == nil)
    bench.endRun()
    #expect(bench.runningIDs == ["b"])
    bench.endRun(CommandScheduleTests.failure)
    #expect(bench.end == .closed)
    bench.expectNothingLost()
  }

  @Test func `another view while changes are pending is one update with them`() throws {
    var bench = try ScheduleBench(["a": ["k": .int(1), "g": "x"], "b": ["k": .int(2), "g": "y"]])
    try bench.change { $0["a"] = ["k": .int(9), "g": "x"] }
    bench.endRun(CommandScheduleTests.failure)
    try bench.show(.sectioned(by: "g"))
    #expect(bench.runs.count == 2)
    #expect(bench.running?.cause == .view)
    bench.endRun()
    bench.expectComplete()
  }
}
