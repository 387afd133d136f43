import SampleLists
import Query
@testable import Store
import TestSupport
import Testing

@testable import Scripts

/// Runs for parts of the pending changes: one per item, and halves of what fails.
struct CommandSchedulePartsTests {
  private static let failure = RunEnd.exited(3)

  /// Ends runs as a command does that fails for some ids.
  private static func failing(for bad: Set<String>) -> (ListUpdate<Item>) -> RunEnd {
    { update in update.diff.changes.contains { bad.contains($0.item.description) } ? failure : .exited(0) }
  }

  private static let names = (0..<32).map { "i\($0 / 10)\($0 % 10)" }

  private static func bench(_ configure: (inout CommandSettings) -> Void) throws -> ScheduleBench {
    // The first change keeps the command busy, so that the others come as one.
    var bench = try ScheduleBench([:], configure)
    try bench.set("first", to: 1)
    try bench.change { items in for name in names { items[name] = ["k": .int(1)] } }
    bench.endRun()
    return bench
  }

  // MARK: One run per item

  @Test func `each runs for one change after the other, in their order`() throws {
    var bench = try ScheduleBench(["a": [:], "b": [:]]) { $0.isEach = true }
    try bench.set("z", to: 1)
    try bench.change { items in
      items["a"] = nil
      items["b"] = ["k": .int(1)]
      items["c"] = [:]
    }
    bench.endRuns { _ in .exited(0) }
    #expect(bench.runIDs == [["z"], ["a"], ["c"], ["b"]])
    bench.expectComplete()
  }

  @Test func `each continues after a failure, whose change comes again with the next change`() throws {
    var bench = try CommandSchedulePartsTests.bench { $0.isEach = true }
    let bad: Set<String> = ["i03", "i07"]
    bench.endRuns(CommandSchedulePartsTests.failing(for: bad))
    #expect(bench.runs.count == 33)
    #expect(Set(bench.pendingIDs) == bad)
    #expect(bench.reports.count == 2)
    try bench.set("x", to: 1)
    bench.endRuns { _ in .exited(0) }
    #expect(bench.runIDs.suffix(3) == [["i03"], ["i07"], ["x"]])
    bench.expectComplete()
  }

  @Test func `each with retry holds up only what failed`() throws {
    var bench = try CommandSchedulePartsTests.bench {
      $0.isEach = true
      $0.onError = .retry
      $0.maxFailures = 4
    }
    bench.endRuns(CommandSchedulePartsTests.failing(for: ["i03"]))
    try bench.set("x", to: 1)
    #expect(bench.runningIDs == ["x"])
    bench.endRun()
    for _ in 0..<3 {
      bench.wait(.seconds(30))
      #expect(bench.runningIDs == ["i03"])
      bench.endRun(CommandSchedulePartsTests.failure)
    }
    #expect(
      bench.reports.last
        == .failed(
          CommandSchedulePartsTests.failure, item: "`i03` (i03.yaml)", .parked(failures: 4)))
    bench.wait(.seconds(3600))
    #expect(bench.running == nil)
    try bench.set("y", to: 1)
    #expect(bench.runningIDs == ["y"])
    bench.endRun()
    #expect(bench.pendingIDs == ["i03"])
    bench.continueParked()
    #expect(bench.runningIDs == ["i03"])
    bench.endRun()
    bench.expectComplete()
  }

  @Test func `each with retry waits with everything if the command itself fails`() throws {
    var bench = try CommandSchedulePartsTests.bench {
      $0.isEach = true
      $0.onError = .retry
    }
    bench.endRuns { _ in CommandSchedulePartsTests.failure }
    #expect(bench.runs.count == 6)
    bench.wait(.seconds(1.1))
    bench.endRuns { _ in .exited(0) }
    #expect(bench.runs.count == 6 + 32)
    bench.expectComplete()
  }

  @Test func `each stops at the first failure with stop`() throws {
    var bench = try CommandSchedulePartsTests.bench {
      $0.isEach = true
      $0.onError = .stop
    }
    bench.endRuns(CommandSchedulePartsTests.failing(for: ["i03"]))
    #expect(bench.end == .status(3))
    #expect(bench.runs.count == 5)
    bench.expectNothingLost()
  }

  @Test func `each restarts only for a change of its item`() throws {
    var bench = try ScheduleBench {
      $0.isEach = true
      $0.onBusy = .restart
    }
    try bench.set("a", to: 1)
    try bench.set("b", to: 1)
    #expect(bench.stops == 0)
    try bench.set("a", to: 2)
    #expect(bench.stops == 1)
    bench.endRun(.stopped)
    #expect(bench.runningIDs == ["a"])
    bench.endRuns { _ in .exited(0) }
    #expect(bench.runIDs == [["a"], ["a"], ["b"]])
    bench.expectComplete()
  }

  @Test func `each needs no run for sections alone`() throws {
    var bench = try ScheduleBench(
      ["a": ["g": "x"], "b": ["g": "y"]], request: .sectioned(by: "g", order: ["x", "y"])
    ) { $0.isEach = true }
    try bench.show(.sectioned(by: "g", order: ["y", "x"]))
    #expect(bench.runs.isEmpty)
    #expect(bench.skipped.count == 1)
    bench.expectComplete()
  }

  // MARK: Halves

  @Test func `split finds the changes that fail alone, and the others go on`() throws {
    for onError in [CommandSettings.FailureAction.next, .retry] {
      for bad: Set<String> in [
        ["i00"], ["i31"], ["i05", "i06"], Set(CommandSchedulePartsTests.names.suffix(8)),
      ] {
        var bench = try CommandSchedulePartsTests.bench {
          $0.splitsOnError = true
          $0.onError = onError
        }
        bench.endRuns(CommandSchedulePartsTests.failing(for: bad))
        #expect(Set(bench.pendingIDs) == bad)
        let named = bench.reports.compactMap { report in
          if case .failed(_, let item?, _) = report { "\(item.split(separator: "`")[0])" } else { nil }
        }
        #expect(named.sorted() == bad.sorted())
        #expect(bench.reports.filter { if case .splitting = $0 { true } else { false } }.count == 1)
        bench.expectNothingLost()
        // What failed alone does not make others fail.
        try bench.set("x", to: 1)
        #expect(bench.runningIDs == ["x"])
        bench.endRun()
        bench.wait(.seconds(2))
        bench.endRuns { _ in .exited(0) }
        bench.expectComplete()
      }
    }
  }

  @Test func `split with half of the changes failing delivers the other half`() throws {
    var bench = try CommandSchedulePartsTests.bench { $0.splitsOnError = true }
    let bad = Set(CommandSchedulePartsTests.names.enumerated().filter { $0.offset % 2 == 1 }.map(\.element))
    bench.endRuns(CommandSchedulePartsTests.failing(for: bad))
    #expect(Set(bench.pendingIDs) == bad)
    bench.expectNothingLost()
  }

  @Test func `split treats a command that always fails as one failure`() throws {
    var bench = try CommandSchedulePartsTests.bench {
      $0.splitsOnError = true
      $0.onError = .retry
      $0.maxFailures = 2
    }
    let before = bench.runs.count
    bench.endRuns { _ in CommandSchedulePartsTests.failure }
    #expect(bench.runs.count - before < 20)
    guard case .broken(CommandSchedulePartsTests.failure, tries: 5, .retry) = bench.reports.last else {
      Issue.record("\(bench.reports)")
      return
    }
    bench.wait(.seconds(1.1))
    bench.endRuns { _ in CommandSchedulePartsTests.failure }
    guard case .broken(_, tries: 5, .parked(failures: 2)) = bench.reports.last else {
      Issue.record("\(bench.reports)")
      return
    }
    try bench.set("x", to: 1)
    #expect(bench.running == nil)
    bench.continueParked()
    #expect(bench.runningIDs.count == 33)
    bench.endRun()
    bench.expectComplete()
  }

  @Test func `split with stop ends after the other changes`() throws {
    var bench = try CommandSchedulePartsTests.bench {
      $0.splitsOnError = true
      $0.onError = .stop
    }
    bench.endRuns(CommandSchedulePartsTests.failing(for: ["i03"]))
    #expect(bench.end == .status(3))
    #expect(bench.pendingIDs == ["i03"])
  }

  @Test func `split names a single change without halving it`() throws {
    var bench = try ScheduleBench { $0.splitsOnError = true }
    try bench.set("a", to: 1)
    bench.endRun(CommandSchedulePartsTests.failure)
    #expect(
      bench.reports == [
        .failed(CommandSchedulePartsTests.failure, item: "`a` (a.yaml)", .nextChange)
      ])
  }

  @Test func `a held item that is deleted is taken back`() throws {
    var bench = try CommandSchedulePartsTests.bench {
      $0.splitsOnError = true
      $0.onError = .retry
    }
    bench.endRuns(CommandSchedulePartsTests.failing(for: ["i03"]))
    try bench.remove("i03")
    bench.wait(.seconds(3600))
    #expect(bench.running?.takenBack.map(\.isDeleted) == [true])
    bench.endRuns { _ in .exited(0) }
    bench.expectComplete()
    try bench.set("i03", to: 5)
    #expect(bench.runningIDs == ["i03"])
  }
}
