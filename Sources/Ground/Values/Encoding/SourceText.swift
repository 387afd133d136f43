import Glibc

/// A checked text that a parser can read: valid UTF-8, without a byte order mark and without git
/// conflict markers.
package struct SourceText {
  let bytes: UnsafeRawBufferPointer
  let utf8: UTF8Prefix

  init(checking bytes: UnsafeRawBufferPointer) throws(TextError) {
    self.bytes = bytes
    utf8 = UTF8Prefix(of: bytes)
    if utf8.count < bytes.count {
      throw error(
        at: utf8.count,
        "The byte 0x\(String(bytes[utf8.count], radix: 16, uppercase: true)) is not valid UTF-8. Save the file as UTF-8."
      )
    }
    if let marker = conflictMarker() {
      throw error(
        at: marker,
        "The file contains conflict markers of git (`<<<<<<<`, `=======`, `>>>>>>>`). Resolve the conflict and delete the markers."
      )
    }
  }

  package static func withoutByteOrderMark(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let isMarked = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
    return isMarked ? UnsafeRawBufferPointer(rebasing: bytes[3...]) : bytes
  }

  func error(at offset: Int, _ message: String) -> TextError { TextError(at: place(at: offset), message) }

  func endOfContent(in range: Range<Int>) -> Int {
    bytes[range].lastIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.map { $0 + 1 } ?? range.lowerBound
  }

  func contents(ofQuoted range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[range.lowerBound + 1..<range.upperBound - 1])
  }

  static let unclosedList = "This list is not closed. Add the missing `]`."
  static let unclosedMap = "This map is not closed. Add the missing `}`."

  func place(at offset: Int) -> TextPlace { TextPlace(of: offset, in: bytes) }

  func duplicateKeyError(_ key: UnsafeRawBufferPointer, at offset: Int, first: TextPlace) -> TextError {
    let name =
      key.count <= 100
      ? String(decoding: key, as: UTF8.self) : String(decoding: key[..<100], as: UTF8.self) + "…"
    return error(
      at: offset,
      "The key `\(name)` appears twice in one map, first at line \(first.line), column \(first.column). Keep one of them."
    )
  }

  /// Returns the byte offset of a character counted from `start`. Linear unless the text is ASCII.
  func offset(ofCharacter index: Int, from start: Int) -> Int {
    if utf8.isASCII { return min(start + index, bytes.count) }
    var offset = start
    var rest = index
    while offset < bytes.count {
      if !bytes[offset].isUTF8Continuation {
        if rest == 0 { break }
        rest -= 1
      }
      offset += 1
    }
    return offset
  }

  /// Finds the first line of a conflict: the three marks at the starts of lines, in this order.
  private func conflictMarker() -> Int? {
    guard let start = marker("<<<<<<< ", from: 0), let middle = middleMarker(from: start),
      marker(">>>>>>> ", from: middle) != nil
    else {
      return nil
    }
    return start
  }

  private func middleMarker(from start: Int) -> Int? {
    var position = start
    while let found = marker("=======", from: position) {
      let end = found + 7
      if end == bytes.count || [0x0A, 0x0D, 0x20].contains(bytes[end]) { return found }
      position = end
    }
    return nil
  }

  private func marker(_ text: StaticString, from start: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let length = text.utf8CodeUnitCount
    var position = start
    while position < bytes.count,
      let found = memchr(base + position, Int32(text.utf8Start.pointee), bytes.count - position)
    {
      let offset = UnsafeRawPointer(found) - base
      guard offset + length <= bytes.count else { return nil }
      let isAtLineStart = offset == 0 || bytes[offset - 1] == "\n"
      if isAtLineStart, memcmp(found, text.utf8Start, length) == 0 { return offset }
      position = offset + 1
    }
    return nil
  }

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
