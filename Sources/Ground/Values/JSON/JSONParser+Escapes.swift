/// The escapes of strings.
extension JSONParser {
  /// Replaces `text` by the string at `range`, which includes the quotes.
  func unescape(_ range: Range<Int>, into text: inout [UInt8]) throws(TextError) {
    text.removeAll(keepingCapacity: true)
    var index = range.lowerBound + 1
    let end = range.upperBound - 1
    while index < end {
      let escape = source.bytes.firstOffset(of: UInt8(ascii: "\\"), in: index..<end) ?? end
      text.append(contentsOf: UnsafeRawBufferPointer(rebasing: source.bytes[index..<escape]))
      index = escape
      if index == end { break }
      if source.bytes[index + 1] == UInt8(ascii: "u") {
        let (scalar, length) = try scalar(at: index, end)
        text.append(contentsOf: String(scalar).utf8)
        index += length
      } else {
        text.append(try short(source.bytes[index + 1], at: index))
        index += 2
      }
    }
  }

  private func short(_ letter: UInt8, at index: Int) throws(TextError) -> UInt8 {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return letter
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    default: throw source.error(at: index, "This escape does not exist in JSON. Write a backslash as `\\\\`.")
    }
  }

  /// Decodes `\u` and four digits, or two of them that form a surrogate pair.
  private func scalar(at index: Int, _ end: Int) throws(TextError) -> (Unicode.Scalar, length: Int) {
    let first = try unit(at: index, end)
    if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
    let isPairStart =
      UTF16.isLeadSurrogate(first) && index + 7 < end && source.bytes[index + 6] == UInt8(ascii: "\\")
    if isPairStart, source.bytes[index + 7] == UInt8(ascii: "u") {
      let second = try unit(at: index + 6, end)
      if UTF16.isTrailSurrogate(second) { return (UTF16.decode(UTF16.EncodedScalar([first, second])), 12) }
    }
    throw source.error(
      at: index, "This escape is half of a surrogate pair. Write both halves, or the character itself.")
  }

  private func unit(at index: Int, _ end: Int) throws(TextError) -> UInt16 {
    var value: UInt16 = 0
    for position in index + 2..<index + 6 {
      guard position < end, let digit = Character(Unicode.Scalar(source.bytes[position])).hexDigitValue else {
        throw source.error(at: index, "This escape has too few hexadecimal digits. Write four after \\u.")
      }
      value = value << 4 | UInt16(digit)
    }
    return value
  }
}
