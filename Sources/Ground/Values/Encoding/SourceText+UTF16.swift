/// UTF-16 with a byte order mark, which YAML allows.
extension SourceText {
  static func isUTF16(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 2 && ((bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] == 0xFE && bytes[1] == 0xFF))
  }

  static func utf8(fromUTF16 bytes: UnsafeRawBufferPointer) throws(TextError) -> [UInt8] {
    let isBigEndian = bytes[0] == 0xFE
    let units = (1..<bytes.count / 2).map { index in
      let unit = bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
      return isBigEndian ? UInt16(bigEndian: unit) : UInt16(littleEndian: unit)
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw utf16Error("this is half of a surrogate pair.", after: units[..<firstUnpaired(units)])
    }
    guard bytes.count.isMultiple(of: 2) else {
      throw utf16Error("the last character is incomplete.", after: units[...])
    }
    return Array(text.utf8)
  }

  private static func firstUnpaired(_ units: [UInt16]) -> Int {
    var index = 0
    while index < units.count {
      let isPair =
        UTF16.isLeadSurrogate(units[index]) && index + 1 < units.count
        && UTF16.isTrailSurrogate(units[index + 1])
      if !isPair && UTF16.isSurrogate(units[index]) { return index }
      index += isPair ? 2 : 1
    }
    return index
  }

  private static func utf16Error(_ what: String, after units: ArraySlice<UInt16>) -> TextError {
    let place = Array(String(decoding: units, as: UTF16.self).utf8).withUnsafeBytes {
      TextPlace(of: $0.count, in: $0)
    }
    return TextError(at: place, "The text is UTF-16, and \(what) Save the file as UTF-8.")
  }
}
