package import Store

extension PackedValue {
  /// Returns true if bytes of unknown origin are one packed map, at most so deeply nested, so that reading
  /// them stays within them: all tags, lengths and texts are valid. Linear.
  package static func isMap(_ bytes: UnsafeRawBufferPointer, depth: Int) -> Bool {
    guard bytes.first == PackedValue.Tag.map.rawValue else { return false }
    var check = PackedCheck(raw: bytes)
    return check.skipValue(before: bytes.count, depth: depth) && check.position == bytes.count
  }
}

/// Checks packed bytes that were stored outside of this process. `PackedReader` does not.
private struct PackedCheck {
  let raw: UnsafeRawBufferPointer
  var position = 0

  mutating func skipValue(before end: Int, depth: Int) -> Bool {
    guard position < end, let tag = PackedValue.Tag(rawValue: raw[position]) else { return false }
    position += 1
    switch tag {
    case .null, .false, .true: return true
    case .integer: return varint(before: end) != nil
    case .double: return skip(8, before: end)
    case .literal: return skipNumber(before: end)
    case .string: return skipText(before: end)
    case .date: return skipDate(before: end)
    case .list, .map: return skipContents(of: tag, before: end, depth: depth - 1)
    }
  }

  private mutating func skipContents(of tag: PackedValue.Tag, before end: Int, depth: Int) -> Bool {
    guard depth >= 0, end - position >= 4 else { return false }
    let count = Int(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
    position += 4
    guard count <= end - position else { return false }
    let inner = position + count
    while position < inner {
      if tag == .map, !skipText(before: inner) { return false }
      if !skipValue(before: inner, depth: depth) { return false }
    }
    return true
  }

  private mutating func skip(_ count: Int, before end: Int) -> Bool {
    guard count <= end - position else { return false }
    position += count
    return true
  }

  private mutating func varint(before end: Int) -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < end {
      let byte = raw[position]
      position += 1
      // The tenth byte has room for one bit.
      if shift == 63, byte > 1 { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  private mutating func text(before end: Int) -> UnsafeRawBufferPointer? {
    guard let count = varint(before: end), count <= UInt64(end - position) else { return nil }
    defer { position += Int(count) }
    return UnsafeRawBufferPointer(rebasing: raw[position..<position + Int(count)])
  }

  private mutating func skipText(before end: Int) -> Bool {
    guard let text = text(before: end) else { return false }
    return UTF8Prefix(of: text).count == text.count
  }

  private mutating func skipNumber(before end: Int) -> Bool {
    guard let text = text(before: end), !text.isEmpty else { return false }
    return text.allSatisfy { byte in
      switch byte {
      case "0"..."9", "-", "+", ".", "e", "E":
        true
      default: false
      }
    }
  }

  private mutating func skipDate(before end: Int) -> Bool {
    guard end - position >= 13, Timestamp.Precision(rawValue: raw[position]) != nil else { return false }
    let nanoseconds = Int32(littleEndian: raw.loadUnaligned(fromByteOffset: position + 9, as: Int32.self))
    guard (0..<1_000_000_000).contains(nanoseconds) else { return false }
    position += 13
    return skipText(before: end)
  }
}
