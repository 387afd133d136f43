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

extension SeededGenerator {
  /// What hurts terminals, what is wide, what joins, and some of everything else.
  mutating func hostileText() -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<below(24) { text.append(hostileScalar()) }
    return String(text)
  }

  private mutating func hostileScalar() -> Unicode.Scalar {
    let ranges: [ClosedRange<UInt32>] = [
      0x00...0x1F, 0x20...0x7E, 0x61...0x7A, 0x7F...0x9F, 0xA0...0xFF, 0x300...0x36F, 0x5D0...0x5EA, 0x600...0x61C, 0x915...0x94D,
      0x1100...0x11FF,
      0x200B...0x202E, 0x2060...0x206F, 0x3041...0x30FF, 0x4E00...0x4E20, 0xE000...0xE010, 0xFE00...0xFE0F, 0xFEFF...0xFEFF,
      0xFFF9...0xFFFF,
      0x1F1E6...0x1F1FF, 0x1F3F4...0x1F3FF, 0x1F466...0x1F469, 0xE0020...0xE007F, 0x10_FFF0...0x10_FFFF,
    ]
    let range = ranges[below(ranges.count)]
    return Unicode.Scalar(UInt32.random(in: range, using: &self)) ?? "?"
  }
}
