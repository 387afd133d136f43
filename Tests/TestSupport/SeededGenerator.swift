import Foundation

/// A generator whose sequence depends only on a seed, so that a failure can be repeated.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// SplitMix64 (Steele, Lea, Flood 2014).
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  package mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  /// Returns true with a probability of one in `count`.
  package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  package mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}

package enum Randomness {
  /// `NOTES_WATCH_ROUNDS`; nil in a plain run.
  private static let chosenFactor = ProcessInfo.processInfo.environment["NOTES_WATCH_ROUNDS"].flatMap(
    Int.init)

  /// The factor by which `NOTES_WATCH_ROUNDS` multiplies the number of rounds.
  package static let factor = chosenFactor ?? 1

  /// Returns one seed per round, for `rounds` times the factor. With `NOTES_WATCH_SEED` it is that
  /// seed alone.
  ///
  /// A plain run has a third of the rounds, at least two: many runs try many seeds, and each of them
  /// should be short.
  ///
  /// Each run has other seeds, unless `NOTES_WATCH_SEEDS_FOR` is set. They then depend only on its
  /// value and on the test's name, so that a test that has passed passes again.
  package static func seeds(_ rounds: Int, test: String = #function) -> [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["NOTES_WATCH_SEED"].flatMap(UInt64.init) { return [seed] }
    var generator = SeededGenerator(
      seed: environment["NOTES_WATCH_SEEDS_FOR"].map { hash($0 + test) } ?? .random(in: 0 ... .max))
    let count = chosenFactor.map { rounds * $0 } ?? max(rounds / 3, min(rounds, 2))
    return (0..<count).map { _ in generator.next() }
  }

  /// Returns the 64-bit FNV-1a hash of a string.
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}

/// Returns the sentence that a failed expectation of a round prints.
package func seedNote(_ seed: UInt64) -> String { "run again with NOTES_WATCH_SEED=\(seed)" }
