/// Decodes and encodes single scalars.
enum UTF8Scalar {
  /// Decodes the scalar at `index`. Returns nil if the bytes are not valid UTF-8.
  static func decode(_ bytes: UnsafeRawBufferPointer, at index: Int) -> (scalar: UInt32, length: Int)? {
    let lead = UInt32(bytes[index])
    let (length, minimum): (Int, UInt32) =
      switch lead {
      case 0..<0x80: (1, 0)
      case 0xC2..<0xE0: (2, 0x80)
      case 0xE0..<0xF0: (3, 0x800)
      case 0xF0..<0xF5: (4, 0x1_0000)
      default: (0, 0)
      }
    guard length > 0, index + length <= bytes.count else { return nil }
    if length == 1 { return (lead, 1) }
    var scalar = lead & (0xFF >> UInt32(length + 1))
    for next in index + 1..<index + length {
      guard bytes[next] & 0xC0 == 0x80 else { return nil }
      scalar = scalar << 6 | UInt32(bytes[next] & 0x3F)
    }
    guard scalar >= minimum, scalar <= 0x10_FFFF, !(0xD800..<0xE000).contains(scalar) else { return nil }
    return (scalar, length)
  }

  static func append(_ scalar: UInt32, to output: inout [UInt8]) {
    switch scalar {
    case 0..<0x80:
      output.append(UInt8(scalar))
    case 0x80..<0x800:
      output.append(UInt8(0xC0 | scalar >> 6))
      output.append(UInt8(0x80 | scalar & 0x3F))
    case 0x800..<0x1_0000:
      output.append(UInt8(0xE0 | scalar >> 12))
      output.append(UInt8(0x80 | scalar >> 6 & 0x3F))
      output.append(UInt8(0x80 | scalar & 0x3F))
    default:
      output.append(UInt8(0xF0 | scalar >> 18))
      output.append(UInt8(0x80 | scalar >> 12 & 0x3F))
      output.append(UInt8(0x80 | scalar >> 6 & 0x3F))
      output.append(UInt8(0x80 | scalar & 0x3F))
    }
  }
}
