/// Hangul syllables, composed from conjoining jamo, which some systems write in file names (Unicode
/// 3.12).
extension Unicode.Scalar {
  private static let syllables: Range<UInt32> = 0xAC00..<0xD7A4
  private static let leads: Range<UInt32> = 0x1100..<0x1113
  private static let vowels: Range<UInt32> = 0x1161..<0x1176
  private static let trails: Range<UInt32> = 0x11A8..<0x11C3

  /// Composes `scalar` with the jamo at `index` and moves `index` past them. Returns `scalar` if
  /// they form no syllable.
  static func composeHangul(_ scalar: UInt32, with bytes: UnsafeRawBufferPointer, at index: inout Int)
    -> UInt32
  {
    var syllable = scalar
    if leads.contains(scalar) {
      guard let vowel = next(of: vowels, bytes, &index) else { return scalar }
      syllable = syllables.lowerBound + ((scalar - leads.lowerBound) * 21 + vowel) * 28
    }
    guard syllables.contains(syllable), (syllable - syllables.lowerBound) % 28 == 0,
      let trail = next(of: trails, bytes, &index)
    else {
      return syllable
    }
    return syllable + trail + 1
  }

  /// Returns the syllable of a lead and a vowel, or of a syllable without a trail and a trail; nil
  /// if they form none.
  static func composeHangul(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if leads.contains(first), vowels.contains(second) {
      return syllables.lowerBound + ((first - leads.lowerBound) * 21 + second - vowels.lowerBound) * 28
    }
    guard syllables.contains(first), (first - syllables.lowerBound) % 28 == 0, trails.contains(second) else {
      return nil
    }
    return first + (second - trails.lowerBound) + 1
  }

  private static func next(of range: Range<UInt32>, _ bytes: UnsafeRawBufferPointer, _ index: inout Int)
    -> UInt32?
  {
    guard index < bytes.count, bytes[index] == 0xE1,
      let (scalar, length) = bytes.scalar(at: index), range.contains(scalar)
    else {
      return nil
    }
    index += length
    return scalar - range.lowerBound
  }
}
