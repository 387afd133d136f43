import Foundation
import TestSupport
import Testing

/// Promise 2, Truth: when the disk falls quiet the list equals a fresh scan, whatever happened.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct ConvergenceTests {
  /// A run of every scenario, times the factor.
  private static let seeds: [UInt64] = {
    let isReplay = ProcessInfo.processInfo.environment["NOTES_WATCH_SEED"] != nil
    let scenarios = Scenario.allCases.filter { isReplay || !$0.hasGit || Machine.has("git") }
    if isReplay { return Randomness.seeds(1) }
    return zip(Randomness.seeds(scenarios.count), (0...).lazy).map { seed, number in scenarios[number % scenarios.count].seed(near: seed) }
  }()

  @Test(arguments: seeds)
  func `Truth: the stream, a fresh list and a reading of our own agree whenever the disk is quiet`(seed: UInt64) throws {
    do {
      try ConvergenceRun(seed: seed).run()
    } catch {
      Issue.record("\(error)")
    }
  }
}
