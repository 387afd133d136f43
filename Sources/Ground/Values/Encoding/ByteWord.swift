/// Searches eight bytes at once. The first byte is in the lowest bits of the word.
enum ByteWord {
  /// Returns the highest bit of each byte that is zero, exact up to the first one.
  @inline(__always)
  static func zeros(in word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }
}
