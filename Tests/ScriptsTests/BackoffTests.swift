import TestSupport
import Testing

@testable import Scripts

struct BackoffTests {
  @Test func `delays double from one second to five minutes, within ten percent`() {
    for seed in Randomness.seeds(20) {
      var random = SeededGenerator(seed: seed)
      var backoff = Backoff()
      var plain = 1.0
      for failure in 1...40 {
        let delay = backoff.fail(using: &random)
        #expect(delay >= .seconds(plain * 0.9), "\(failure): \(seedNote(seed))")
        #expect(delay <= .seconds(min(plain * 1.1, 300)), "\(failure): \(seedNote(seed))")
        plain = min(plain * 2, 300)
      }
    }
  }

  @Test func `a success makes the next failure the first one again`() {
    var backoff = Backoff()
    for _ in 0..<8 { _ = backoff.fail() }
    backoff.reset()
    #expect(backoff.fail() <= .seconds(1.1))
  }

  @Test func `any number of failures has a delay`() {
    var backoff = Backoff(first: .milliseconds(1), max: .seconds(Int64.max / 4))
    for _ in 0..<10_000 { #expect(backoff.fail() > .zero) }
  }
}
