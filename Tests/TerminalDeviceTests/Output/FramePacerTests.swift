import TestSupport
import Testing

@testable import TerminalDevice

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
  func `no second has more than 60 frames`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var pacer = FramePacer()
    let start = ContinuousClock.now
    var now = start
    var frames: [ContinuousClock.Instant] = []
    while now < start + .seconds(4) {
      if pacer.earliest.map({ $0 <= now }) ?? true {
        pacer.record(at: now)
        frames.append(now)
      }
      now += .microseconds(generator.oneIn(50) ? 400_000 : generator.below(4000))
    }
    for (index, first) in frames.enumerated() {
      #expect(frames[index...].prefix { $0 < first + .seconds(1) }.count <= 60, "\(seedNote(seed))")
    }
  }
}
