import TestSupport
import Testing

@testable import Terminal

@Suite struct FramePacerTests {
  @Test func `the first frames are shown at once`() {
    var pacer = FramePacer()
    let now = ContinuousClock.now
    for _ in 0..<FramePacer.burst {
      #expect(pacer.earliest.map { $0 <= now } ?? true)
      pacer.record(at: now)
    }
    #expect(pacer.earliest.map { $0 <= now } == false)
  }

  @Test(arguments: Randomness.seeds(5))
  func `no second has more than 60 frames`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var pacer = FramePacer()
    let start = ContinuousClock.now
    var now = start
    var frames: [ContinuousClock.Instant] = []
    while now < start + .seconds(8) {
      if pacer.earliest.map({ $0 <= now }) ?? true {
        pacer.record(at: now)
        frames.append(now)
      }
      // Long enough between two pauses that all of a second is busy.
      now += .microseconds(generator.oneIn(4_000) ? 400_000 : generator.below(1_000))
    }
    let counts = frames.indices.map { index in
      frames[index...].prefix { $0 < frames[index] + .seconds(1) }.count
    }
    let most = try #require(counts.max())
    #expect(most <= 60, "\(seedNote(seed))")
    // A second after a pause reaches the limit.
    #expect(most >= 58, "\(seedNote(seed))")
  }
}
