import Testing

@testable import PlainStore

@Suite struct GapTimerTests {
  let start = ContinuousClock.now

  /// Returns the number of looks, `pause` apart, after which a file counts as missing.
  func looks(_ pause: Duration, _ gap: Duration = GapTimer.gap) -> Int {
    var (timer, now, count) = (GapTimer(gap, now: start), start, 1)
    while !timer.isOver(now: now) {
      now += pause
      count += 1
    }
    return count
  }

  @Test func `quick looks end when the gap is over`() {
    #expect(looks(.milliseconds(1)) == 251)
    #expect(looks(.milliseconds(10)) == 26)
  }

  @Test(arguments: [20, 100, 250, 1_000, 60_000]) func `however long the program stands still, it looks often`(milliseconds: Int) {
    #expect(looks(.milliseconds(milliseconds)) == 14)
  }

  @Test func `one look is enough without a gap`() { #expect(looks(.milliseconds(1), .zero) == 1) }
}
