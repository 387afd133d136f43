/// The width of characters in terminal columns: Unicode's annex 11 with ambiguous characters
/// narrow, as in `wcwidth` and most terminals. A test compares it with PyPI's wcwidth.
package enum DisplayWidth {
  /// Returns the width of one grapheme cluster, or of a run of ASCII.
  package static func columns(of scalars: String.UnicodeScalarView) -> Int {
    guard let first = scalars.first else { return 0 }
    if first.isASCII, scalars.count == 1 { return 1 }
    let isPictured =
      first.properties.isEmojiPresentation || scalars.dropFirst().contains { $0.value == 0xFE0F }
    if isPictured, first.properties.isEmoji, !first.properties.isEmojiModifier {
      return isRegionalIndicator(first) ? min(scalars.count, 2) : 2
    }
    return scalars.reduce(0) { $0 + columns(of: $1) }
  }

  /// Returns true if all terminals draw a scalar in as many columns as `columns(of:)` says, and as a
  /// character of its own: printable ASCII, the letters of European scripts, and the East Asian
  /// characters that have been wide from the beginning; not symbols of ambiguous width, emoji, marks,
  /// and scripts that run from right to left or join their letters.
  package static func isCertain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x7F ? scalar.value >= 0x20 : contains(scalar.value, certain)
  }

  /// Returns the most columns that a terminal uses for one cluster, even if it splits or widens it.
  package static func maxColumns(of scalars: String.UnicodeScalarView) -> Int {
    let parts = scalars.reduce(0) { $0 + ($1.isASCII ? 1 : 2) }
    return max(parts, columns(of: scalars) + 1)
  }

  /// Returns the width of a single scalar.
  package static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return scalar.properties.isDefaultIgnorableCodePoint ? 0 : 1
    default: break
    }
    switch scalar.value {
    // Conjoining vowels and final consonants of Hangul are drawn in the box of the first letter.
    case 0x1160...0x11FF, 0xD7B0...0xD7FB: return 0
    // Marks beside a wide character, in its box.
    case 0x302E...0x302F, 0x16FF0...0x16FF1: return 0
    default: break
    }
    return isWide(scalar) ? 2 : 1
  }

  private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x1100 { return false }
    if isRegionalIndicator(scalar) { return false }
    return scalar.properties.isEmojiPresentation || contains(scalar.value, wide)
  }

  private static func contains(_ value: UInt32, _ ranges: [ClosedRange<UInt32>]) -> Bool {
    let place = ranges.indices.partitionPoint { ranges[$0].upperBound >= value }
    return place < ranges.count && ranges[place].contains(value)
  }

  /// Wide and fullwidth ranges of Unicode 17 without Emoji_Presentation, with gaps closed.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247,
    0x3250...0xA4CF, 0xA960...0xA97F,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x16FE4,
    0x16FF0...0x18D1E, 0x18D80...0x18DF2,
    0x1AFF0...0x1B2FB, 0x1D300...0x1D356, 0x1D360...0x1D376, 0x1F200...0x1F202, 0x1F210...0x1F23B,
    0x1F240...0x1F248, 0x1F250...0x1F251,
    0x1F260...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]

  /// The ranges of `isCertain` after ASCII.
  private static let certain: [ClosedRange<UInt32>] = [
    0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2AF, 0x386...0x386, 0x388...0x38A, 0x38C...0x38C, 0x38E...0x3A1,
    0x3A3...0x3FF, 0x400...0x481,
    0x48A...0x52F, 0x531...0x556, 0x561...0x587, 0x10D0...0x10FA, 0x1E00...0x1EFF, 0x3041...0x3096,
    0x30A1...0x30FA, 0x3400...0x4DB5,
    0x4E00...0x9FA5, 0xAC00...0xD7A3, 0xFF01...0xFF5E,
  ]
}
