import TestSupport
import Testing

@testable import Scripts

struct LoopGuardTests {
  private let start = SuspendingClock.now

  private func time(_ seconds: Double) -> SuspendingClock.Instant { start + .seconds(seconds) }

  /// Returns a guard after runs of a second that were each caused by the previous one.
  private func guarded(runs: Int) -> LoopGuard {
    var guarded = LoopGuard()
    for run in 0...runs {
      guarded.runBegan(at: time(Double(run) * 2))
      guarded.changed(noticed: time(Double(run) * 2 + 0.5))
      guarded.runEnded(at: time(Double(run) * 2 + 1))
    }
    return guarded
  }

  @Test func `twenty runs in a row need no pause, the next one does`() {
    var few = guarded(runs: 19)
    let none = few.earliestStart(at: time(100))
    #expect(none == nil)
    var many = guarded(runs: 20)
    let pause = many.earliestStart(at: time(100))
    #expect(pause == time(101))
    let same = many.earliestStart(at: time(100.5))
    #expect(same == time(101), "the pause does not begin again")
  }

  @Test func `a loop is reported once`() {
    var guarded = guarded(runs: 20)
    var reports = [guarded.shouldReport()]
    _ = guarded.earliestStart(at: time(100))
    reports += [guarded.shouldReport(), guarded.shouldReport()]
    #expect(reports == [false, true, false])
  }

  @Test func `a change just after the end of a run is its own, a later or earlier one is not`() {
    for (noticed, isOwn) in [(41.05, true), (41.2, false), (39.9, false), (40, true)] {
      var guarded = guarded(runs: 20)
      guarded.changed(noticed: time(noticed))
      let pause = guarded.earliestStart(at: time(100))
      #expect((pause != nil) == isOwn, "\(noticed)")
    }
  }

  @Test func `another change resets the pauses`() {
    var guarded = guarded(runs: 25)
    _ = guarded.earliestStart(at: time(100))
    guarded.changed(noticed: time(100.5))
    let pause = guarded.earliestStart(at: time(100.5))
    #expect(pause == nil)
    #expect(guarded.pauseEnd == nil)
  }

  @Test func `a run without a new change, such as a retry, does not count`() {
    var guarded = guarded(runs: 19)
    guarded.runBegan(at: time(100))
    for second in 101..<200 {
      guarded.runEnded(at: time(Double(second)))
      guarded.runBegan(at: time(Double(second)))
    }
    let pause = guarded.earliestStart(at: time(300))
    #expect(pause == nil)
  }
}
