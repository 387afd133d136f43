/// Validates UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing beyond U+10FFFF.
enum UTF8Check {
  struct Prefix {
    /// The number of valid bytes before the first invalid one.
    var count: Int
    var isASCII: Bool
  }

  /// Finds the longest valid prefix of `bytes`. Linear; ASCII is checked eight bytes at a time.
  static func validPrefix(of bytes: UnsafeRawBufferPointer) -> Prefix {
    var index = 0
    var isASCII = true
    while true {
      while index + 8 <= bytes.count, bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 {
        index += 8
      }
      guard index < bytes.count else { return Prefix(count: index, isASCII: isASCII) }
      if bytes[index] < 0x80 {
        index += 1
        continue
      }
      isASCII = false
      let length = sequenceLength(bytes, at: index)
      if length == 0 { return Prefix(count: index, isASCII: false) }
      index += length
    }
  }

  static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  static func characterCount(in bytes: Slice<UnsafeRawBufferPointer>) -> Int {
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
