/// Validates UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing beyond U+10FFFF.
package enum UTF8Check {
  struct Prefix {
    /// The number of valid bytes before the first invalid one.
    var count: Int
    var isASCII: Bool
    /// True if the prefix may contain characters that YAML forbids or treats as line breaks or as a
    /// byte order mark: control characters but tab, CR and LF; DEL; U+0080 to U+009F; U+2028;
    /// U+2029; U+FEFF; U+FFFE and U+FFFF.
    var hasSpecialCharacters: Bool
    var hasCarriageReturns: Bool
  }

  /// Finds the longest valid prefix of `bytes`. Linear; ASCII is checked many bytes at a time.
  static func validPrefix(of bytes: UnsafeRawBufferPointer) -> Prefix {
    var index = 0
    var prefix = Prefix(count: 0, isASCII: true, hasSpecialCharacters: false, hasCarriageReturns: false)
    // The highest bit of each byte that was a control character.
    var controls: UInt64 = 0
    while true {
      // Four words at a time, which the compiler turns into vectors.
      while index + 32 <= bytes.count {
        let words = (
          word(bytes, index), word(bytes, index + 8), word(bytes, index + 16), word(bytes, index + 24)
        )
        if (words.0 | words.1 | words.2 | words.3) & highBits != 0 { break }
        controls |= controlBits(words.0) | controlBits(words.1) | controlBits(words.2) | controlBits(words.3)
        index += 32
      }
      while index + 8 <= bytes.count {
        let word = word(bytes, index)
        if word & highBits != 0 { break }
        controls |= controlBits(word)
        index += 8
      }
      guard index < bytes.count else { break }
      if bytes[index] < 0x80 {
        controls |= controlBits(UInt64(bytes[index]) | 0x2020_2020_2020_2000)
        index += 1
        continue
      }
      prefix.isASCII = false
      let length = sequenceLength(bytes, at: index)
      if length == 0 { break }
      if isSpecial(bytes, at: index) { prefix.hasSpecialCharacters = true }
      index += length
    }
    prefix.count = index
    if controls != 0 { findControls(bytes[..<index], &prefix) }
    return prefix
  }

  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
  }

  /// Returns the highest bit of each byte that is a control character but LF, or DEL. All bytes
  /// must be ASCII.
  @inline(__always)
  private static func controlBits(_ word: UInt64) -> UInt64 {
    let isGraphic = word &+ 0x6060_6060_6060_6060
    let isNotLineFeed = (word ^ 0x0A0A_0A0A_0A0A_0A0A) &+ 0x7F7F_7F7F_7F7F_7F7F
    let isDelete = word &+ 0x0101_0101_0101_0101
    return (~isGraphic & isNotLineFeed | isDelete) & highBits
  }

  private static func findControls(_ bytes: Slice<UnsafeRawBufferPointer>, _ prefix: inout Prefix) {
    for byte in bytes where byte < 0x20 || byte == 0x7F {
      switch byte {
      case UInt8(ascii: "\t"), UInt8(ascii: "\n"): break
      case UInt8(ascii: "\r"): prefix.hasCarriageReturns = true
      default: prefix.hasSpecialCharacters = true
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

  static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  package static func characterCount(in bytes: Slice<UnsafeRawBufferPointer>) -> Int {
    bytes.reduce(0) { isContinuation($1) ? $0 : $0 + 1 }
  }

  /// Returns the length of the character beyond ASCII at `index`; 0 if it is malformed.
  private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
    func isIn(_ range: ClosedRange<UInt8>, _ offset: Int) -> Bool {
      index + offset < bytes.count && range.contains(bytes[index + offset])
    }
    switch bytes[index] {
    case 0xC2...0xDF: return isIn(0x80...0xBF, 1) ? 2 : 0
    case 0xE0...0xEF:
      let second: ClosedRange<UInt8> =
        switch bytes[index] {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        default: 0x80...0xBF
        }
      return isIn(second, 1) && isIn(0x80...0xBF, 2) ? 3 : 0
    case 0xF0...0xF4:
      let second: ClosedRange<UInt8> =
        switch bytes[index] {
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
      return isIn(second, 1) && isIn(0x80...0xBF, 2) && isIn(0x80...0xBF, 3) ? 4 : 0
    default: return 0
    }
  }
}
