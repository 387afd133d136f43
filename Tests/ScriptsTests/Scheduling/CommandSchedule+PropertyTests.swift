import SampleLists
import Files
@testable import Store
import TestSupport
import Testing

@testable import Query
@testable import Scripts

/// Random options, changes, ends of runs and times. `ScheduleBench` checks that runs do not
/// overlap, and that only a run that succeeded is acknowledged.
struct CommandSchedulePropertyTests {
  private static func options(_ random: inout SeededGenerator) -> CommandSettings {
    var options = CommandSettings()
    options.isEach = random.oneIn(3)
    options.splitsOnError = random.oneIn(2)
    options.onError = random.one(of: [.next, .retry])
    options.maxFailures = random.one(of: [1, 2, 5, 20])
    options.onBusy = random.one(of: [.queue, .restart])
    options.defersGit = random.oneIn(3) ? .seconds(random.one(of: [0, 1, 30])) : nil
    return options
  }

  private static let requests: [FetchRequest] = [
    FetchRequest(), .sectioned(by: "g"), .sectioned(by: "g", order: ["z", "x"], titles: ["x": "X"]),
    .sectioned(by: "g", order: ["x", "z"]),
  ]

  private static let failures: [RunEnd] = [.exited(1), .signaled(9), .timedOut, .notStarted("x")]

  private static func change(_ bench: inout ScheduleBench, _ random: inout SeededGenerator) throws {
    if random.oneIn(20) { return try bench.show(random.one(of: requests)) }
    // The list orders by id, so its sections come and go and change their order.
    try bench.change { items in
      for _ in 0..<random.one(of: [1, 1, 2, 12]) {
        let id = "i\(random.below(16))"
        items[id] =
          random.oneIn(4)
          ? nil : ["k": .int(random.below(3)), "g": .string(random.one(of: ["x", "y", "z"]))]
      }
    }
  }

  /// The command also makes something outside of the folder, of which a run that fails, is stopped
  /// or is killed has made any part. At the end it equals the list.
  @Test func `every change is in a run that succeeded or still pending, whatever happens`() throws {
    for seed in Randomness.seeds(60) {
      var random = SeededGenerator(seed: seed)
      let options = CommandSchedulePropertyTests.options(&random)
      var bench = try ScheduleBench { $0 = options }
      bench.start()
      let note = "\(options): \(seedNote(seed))"
      for _ in 0..<random.below(80) {
        switch random.below(11) {
        case 10: try bench.restart(doing: random.below(4))
        case 0..<4: try CommandSchedulePropertyTests.change(&bench, &random)
        case 4..<7:
          guard bench.running != nil else { continue }
          let isFailing = bench.runningIDs.contains { $0.hasSuffix("3") } || random.oneIn(5)
          let isStopped = bench.schedule.process?.isStopping == true && random.oneIn(2)
          bench.endRun(
            isStopped
              ? .stopped : isFailing ? random.one(of: CommandSchedulePropertyTests.failures) : .exited(0),
            doing: random.below(4))
        case 7: bench.wait(.milliseconds(random.one(of: [1, 100, 1_000, 100_000])))
        case 8: bench.git = random.one(of: [nil, nil, .rebase, .bisect])
        default: bench.continueParked()
        }
        bench.expectNothingLost(note)
      }
      bench.git = nil
      for round in 0..<3 {
        bench.endRuns { _ in .exited(0) }
        bench.continueParked()
        try bench.set("last", to: round)
        bench.wait(.seconds(1_000))
        bench.endRuns { _ in .exited(0) }
      }
      bench.expectComplete(note)
      #expect(bench.end == nil)
    }
  }

  @Test func `with the end of the list or with stop, nothing that is not delivered is acknowledged`() throws {
    for seed in Randomness.seeds(60) {
      var random = SeededGenerator(seed: seed)
      var options = CommandSchedulePropertyTests.options(&random)
      options.onError = .stop
      var bench = try ScheduleBench { $0 = options }
      for _ in 0..<30 where bench.end == nil {
        if bench.running == nil || random.oneIn(2) {
          try CommandSchedulePropertyTests.change(&bench, &random)
        }
        if bench.running != nil { bench.endRun(random.oneIn(6) ? .exited(9) : .exited(0)) }
        bench.wait(.seconds(31))
        bench.expectNothingLost(seedNote(seed))
      }
      if bench.end != nil { #expect(bench.end == .status(9), "\(seedNote(seed))") }
    }
  }

  @Test func `a retry is never earlier than its delay`() throws {
    for seed in Randomness.seeds(60) {
      var random = SeededGenerator(seed: seed)
      var bench = try ScheduleBench {
        $0.onError = .retry
        $0.onBusy = random.one(of: [.queue, .restart])
      }
      var failures = 0
      for _ in 0..<40 {
        try CommandSchedulePropertyTests.change(&bench, &random)
        if bench.running != nil, random.oneIn(2) {
          let isFailing = random.oneIn(2)
          let isStopping = bench.schedule.process?.isStopping == true
          bench.endRun(isFailing ? .exited(1) : .exited(0))
          let count = bench.runs.count
          if isFailing, !isStopping {
            failures += 1
            let plain = Double(1 << min(failures - 1, 20))
            bench.wait(.seconds(min(plain * 0.9, 300) - 0.001))
            #expect(bench.runs.count == count || bench.pendingIDs.isEmpty, "\(seedNote(seed))")
          } else if !isFailing {
            failures = 0
          }
        }
        if random.oneIn(3) { bench.wait(.seconds(random.below(400))) }
      }
      bench.expectNothingLost(seedNote(seed))
    }
  }
}
