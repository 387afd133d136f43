import Files
import Glibc

extension UnsafeRawBufferPointer {
  init(cString: UnsafePointer<UInt8>) {
    self.init(start: cString, count: strlen(UnsafeRawPointer(cString).assumingMemoryBound(to: CChar.self)))
  }

  func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: count))
  }

  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let own = baseAddress, let other = other.baseAddress else {
      return isEmpty && other.isEmpty
    }
    return memcmp(own, other, count) == 0
  }

  func firstOffset(of byte: UInt8, in range: Range<Int>) -> Int? {
    let part = UnsafeRawBufferPointer(rebasing: self[range])
    guard let base = part.baseAddress, let found = memchr(base, Int32(byte), part.count) else { return nil }
    return range.lowerBound + (UnsafeRawPointer(found) - base)
  }
}

extension [UInt8] {
  /// Calls `body` with the bytes, like `withUnsafeBytes`, and keeps the type of its error.
  package func withRawBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBufferPointer { buffer throws(Failure) in try body(UnsafeRawBufferPointer(buffer)) }
  }
}

extension UnsafeRawBufferPointer {
  func scalar(at index: Int) -> (scalar: UInt32, length: Int)? {
    let length = utf8Length(at: index)
    if length < 2 { return length == 0 ? nil : (UInt32(self[index]), 1) }
    var scalar = UInt32(self[index]) & (0xFF >> UInt32(length + 1))
    for next in index + 1..<index + length { scalar = scalar << 6 | UInt32(self[next] & 0x3F) }
    return (scalar, length)
  }
}

extension [UInt8] {
  mutating func append(scalar: UInt32) {
    switch scalar {
    case 0..<0x80:
      append(UInt8(scalar))
    case 0x80..<0x800:
      append(UInt8(0xC0 | scalar >> 6))
      append(UInt8(0x80 | scalar & 0x3F))
    case 0x800..<0x1_0000:
      append(UInt8(0xE0 | scalar >> 12))
      append(UInt8(0x80 | scalar >> 6 & 0x3F))
      append(UInt8(0x80 | scalar & 0x3F))
    default:
      append(UInt8(0xF0 | scalar >> 18))
      append(UInt8(0x80 | scalar >> 12 & 0x3F))
      append(UInt8(0x80 | scalar >> 6 & 0x3F))
      append(UInt8(0x80 | scalar & 0x3F))
    }
  }
}

struct ByteCursor {
  let bytes: UnsafeRawBufferPointer
  var position = 0

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }
  var isAtEnd: Bool { position == bytes.count }

  mutating func skip(_ mark: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: mark) else { return false }
    position += 1
    return true
  }
}

extension UInt64 {
  /// The highest bit of each byte that is zero, exact up to the first one. So eight bytes are searched
  /// at once; the first one is in the lowest bits.
  @inline(__always)
  var zeroBytes: UInt64 { (self &- 0x0101_0101_0101_0101) & ~self & 0x8080_8080_8080_8080 }
}

extension UInt8 {
  /// True for a byte of UTF-8 that is not the first one of a character.
  var isUTF8Continuation: Bool { self & 0xC0 == 0x80 }
}

extension UnsafeRawBufferPointer {
  /// Returns the length of the line break at `offset`, or 0. U+0085, U+2028 and U+2029 count, as in
  /// YAML 1.1 and libyaml. The bytes must be valid UTF-8.
  package func breakLength(at offset: Int) -> Int {
    switch self[offset] {
    case 0x0A: 1
    case 0x0D: offset + 1 < count && self[offset + 1] == 0x0A ? 2 : 1
    case 0xC2: self[offset + 1] == 0x85 ? 2 : 0
    case 0xE2: self[offset + 1] == 0x80 && self[offset + 2] & 0xFE == 0xA8 ? 3 : 0
    default: 0
    }
  }
}

extension Slice<UnsafeRawBufferPointer> {
  package var characterCount: Int { reduce(0) { $1.isUTF8Continuation ? $0 : $0 + 1 } }
}

// A byte of a text compared with an ASCII character: `byte == ":"`, and `case "0"..."9":`.

@inlinable @inline(__always)
package func == (byte: UInt8?, character: Unicode.Scalar) -> Bool { byte == UInt8(ascii: character) }

@inlinable @inline(__always)
package func != (byte: UInt8?, character: Unicode.Scalar) -> Bool { byte != UInt8(ascii: character) }

@inlinable @inline(__always)
package func ~= (character: Unicode.Scalar, byte: UInt8?) -> Bool { byte == UInt8(ascii: character) }

@inlinable @inline(__always)
package func ~= (characters: ClosedRange<Unicode.Scalar>, byte: UInt8) -> Bool {
  UInt8(ascii: characters.lowerBound)...UInt8(ascii: characters.upperBound) ~= byte
}
