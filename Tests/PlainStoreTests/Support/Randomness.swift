import Foundation

/// A generator whose whole sequence follows from a seed, so that a failure can be run again.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  /// True once in so many times.
  mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}

enum Randomness {
  /// Seeds for as many rounds as are asked for: `NOTES_WATCH_SEED` runs one again, `NOTES_WATCH_ROUNDS` multiplies.
  static func seeds(_ rounds: Int) -> [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["NOTES_WATCH_SEED"].flatMap(UInt64.init) { return [seed] }
    let factor = environment["NOTES_WATCH_ROUNDS"].flatMap(Int.init) ?? 1
    var generator = SystemRandomNumberGenerator()
    return (0..<rounds * factor).map { _ in generator.next() }
  }
}

/// The sentence that goes with a failed expectation of a round.
func seedNote(_ seed: UInt64) -> String { "run again with NOTES_WATCH_SEED=\(seed)" }
