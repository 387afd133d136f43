import Foundation
import TestSupport
import Testing

/// Promise 2, Truth: when the disk is quiet, the list equals a new scan, whatever happened before.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct ConvergenceTests {
  /// One seed per run: each scenario, times the factor. All depend on one number, which is printed;
  /// `NOTES_WATCH_SERIES` repeats it.
  private static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    if environment["NOTES_WATCH_SEED"] != nil { return Randomness.seeds(1) }
    let series = environment["NOTES_WATCH_SERIES"].flatMap(UInt64.init) ?? .random(in: 0 ... .max)
    let scenarios = Scenario.allCases.filter { !$0.usesGit || Machine.has("git") }
    let count = scenarios.count * Randomness.factor
    print("\(count) convergence runs: NOTES_WATCH_SERIES=\(series)")
    var random = SeededGenerator(seed: series)
    return (0..<count).map { scenarios[$0 % scenarios.count].seed(near: random.next()) }
  }()

  @Test(arguments: seeds)
  func `Truth: the stream, a new list and an independent reading agree whenever the disk is quiet`(
    seed: UInt64
  ) throws {
    do {
      try ConvergenceRun(seed: seed).run()
    } catch {
      Issue.record("\(error)")
    }
  }
}
