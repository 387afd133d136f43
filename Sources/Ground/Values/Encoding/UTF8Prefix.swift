import Files

/// The longest prefix of some bytes that is valid UTF-8 (RFC 3629): no overlong forms, no surrogates,
/// nothing beyond U+10FFFF.
package struct UTF8Prefix {
  package private(set) var count = 0
  /// True if all characters are ASCII, so that characters and bytes have the same offsets.
  private(set) var isASCII = true
  /// True if the prefix may contain characters that YAML forbids or treats as line breaks or as a
  /// byte order mark: control characters but tab, CR and LF; DEL; U+0080 to U+009F; U+2028;
  /// U+2029; U+FEFF; U+FFFE and U+FFFF.
  private(set) var hasSpecialCharacters = false
  private(set) var hasCarriageReturns = false

  /// Checks bytes. Linear; ASCII is checked many bytes at a time.
  package init(of bytes: UnsafeRawBufferPointer) {
    var index = 0
    // The highest bit of each byte that was a control character.
    var controls: UInt64 = 0
    while true {
      // Four words at a time, which the compiler turns into vectors.
      while index + 32 <= bytes.count {
        let words = (
          UTF8Prefix.word(bytes, index), UTF8Prefix.word(bytes, index + 8),
          UTF8Prefix.word(bytes, index + 16), UTF8Prefix.word(bytes, index + 24)
        )
        if (words.0 | words.1 | words.2 | words.3) & UTF8Prefix.highBits != 0 { break }
        controls |=
          UTF8Prefix.controlBits(words.0) | UTF8Prefix.controlBits(words.1)
          | UTF8Prefix.controlBits(words.2) | UTF8Prefix.controlBits(words.3)
        index += 32
      }
      while index + 8 <= bytes.count {
        let word = UTF8Prefix.word(bytes, index)
        if word & UTF8Prefix.highBits != 0 { break }
        controls |= UTF8Prefix.controlBits(word)
        index += 8
      }
      guard index < bytes.count else { break }
      if bytes[index] < 0x80 {
        controls |= UTF8Prefix.controlBits(UInt64(bytes[index]) | 0x2020_2020_2020_2000)
        index += 1
        continue
      }
      isASCII = false
      let length = bytes.utf8Length(at: index)
      if length == 0 { break }
      if UTF8Prefix.isSpecial(bytes, at: index) { hasSpecialCharacters = true }
      index += length
    }
    count = index
    if controls != 0 { findControls(bytes[..<index]) }
  }

  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
  }

  /// Returns the highest bit of each ASCII byte that is DEL or a control character but LF.
  @inline(__always)
  private static func controlBits(_ word: UInt64) -> UInt64 {
    let isGraphic = word &+ 0x6060_6060_6060_6060
    let isNotLineFeed = (word ^ 0x0A0A_0A0A_0A0A_0A0A) &+ 0x7F7F_7F7F_7F7F_7F7F
    let isDelete = word &+ 0x0101_0101_0101_0101
    return (~isGraphic & isNotLineFeed | isDelete) & highBits
  }

  private mutating func findControls(_ bytes: Slice<UnsafeRawBufferPointer>) {
    for byte in bytes where byte < 0x20 || byte == 0x7F {
      switch byte {
      case "\t", "\n": break
      case "\r": hasCarriageReturns = true
      default: hasSpecialCharacters = true
      }
    }
  }

  /// Returns true for one of the special characters beyond ASCII. The bytes must be valid.
  private static func isSpecial(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
    switch bytes[index] {
    case 0xC2: bytes[index + 1] < 0xA0
    case 0xE2: bytes[index + 1] == 0x80 && (bytes[index + 2] == 0xA8 || bytes[index + 2] == 0xA9)
    case 0xEF:
      bytes[index + 1] == 0xBB && bytes[index + 2] == 0xBF
        || bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE
    default: false
    }
  }
}
