import Query
@testable import Store
import Testing

@Suite struct GapTimerTests {
  let start = ContinuousClock.now

  /// Returns the number of attempts, `pause` apart, after which a file counts as missing.
  func attempts(_ pause: Duration, _ work: Duration = .zero, _ gap: Duration = GapTimer.gap) -> Int {
    var timer = GapTimer(gap, now: GapTimer.Moment(time: start, work: .zero))
    var count = 1
    while !timer.isOver(now: GapTimer.Moment(time: start + pause * (count - 1), work: work * (count - 1))) {
      count += 1
    }
    return count
  }

  @Test func `quick attempts end when the gap is over`() {
    #expect(attempts(.milliseconds(1)) == 251)
    #expect(attempts(.milliseconds(10)) == 26)
  }

  @Test(arguments: [20, 100, 250, 1_000, 60_000])
  func `time in which the program stands still does not count`(milliseconds: Int) {
    #expect(attempts(.milliseconds(milliseconds)) == 14)
  }

  @Test func `time in which the program reads a large folder counts`() {
    #expect(attempts(.milliseconds(400), .milliseconds(400)) == 2)
    #expect(attempts(.milliseconds(400), .milliseconds(105)) == 3)
  }

  @Test func `no more than the time that has passed counts, however many threads work`() {
    #expect(attempts(.milliseconds(50), .milliseconds(200)) == 6)
  }

  @Test func `one attempt is enough without a gap`() {
    #expect(attempts(.milliseconds(1), .zero, .zero) == 1)
  }
}
