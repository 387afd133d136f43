/// The width of characters in terminal columns: Unicode's annex 11 with ambiguous characters
/// narrow, as in `wcwidth` and most terminals.
public enum DisplayWidth {
  /// Returns the width of one grapheme cluster, or of a run of ASCII.
  public static func columns(of scalars: String.UnicodeScalarView) -> Int {
    guard let first = scalars.first else { return 0 }
    if first.isASCII, scalars.count == 1 { return 1 }
    let isPictured = first.properties.isEmojiPresentation || scalars.dropFirst().contains { $0.value == 0xFE0F }
    if isPictured, first.properties.isEmoji, !first.properties.isEmojiModifier {
      return isRegionalIndicator(first) ? min(scalars.count, 2) : 2
    }
    return scalars.reduce(0) { $0 + columns(of: $1) }
  }

  /// Returns the width of a single scalar.
  public static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return scalar.properties.isDefaultIgnorableCodePoint ? 0 : 1
    default: break
    }
    // Conjoining vowels and final consonants of Hangul are drawn in the box of the first letter.
    if (0x1160...0x11FF).contains(scalar.value) { return 0 }
    return isWide(scalar) ? 2 : 1
  }

  private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x1100 { return false }
    if isRegionalIndicator(scalar) { return false }
    if scalar.properties.isEmojiPresentation { return true }
    var low = 0
    var high = wide.count
    while low < high {
      let middle = (low + high) / 2
      if scalar.value > wide[middle].upperBound { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(scalar.value)
  }

  /// The ranges with East_Asian_Width W or F in Unicode 16, except those with Emoji_Presentation.
  /// Gaps of unassigned code points are closed.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0xA4CF, 0xA960...0xA97F,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FE4,
    0x16FF0...0x18D08,
    0x1AFF0...0x1B2FB, 0x1D300...0x1D356, 0x1D360...0x1D376, 0x1F200...0x1F202, 0x1F210...0x1F23B, 0x1F240...0x1F248, 0x1F250...0x1F251,
    0x1F260...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
