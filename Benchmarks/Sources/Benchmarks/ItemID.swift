/// An identifier of sixteen bytes, like a UUID.
struct ItemID: Hashable, Sendable {
  var high: UInt64
  var low: UInt64

  /// Creates an identifier that looks random and depends only on a number.
  init(_ number: Int) {
    var state = UInt64(number)
    high = Self.mix(&state)
    low = Self.mix(&state)
  }

  /// Returns the next number of the SplitMix64 generator.
  private static func mix(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// Random numbers that are the same in every run.
struct FixedGenerator: RandomNumberGenerator {
  private var count = 0

  mutating func next() -> UInt64 {
    count += 1
    return ItemID(count).low
  }
}
