/// What two texts may differ in and still be found, or sorted, as one: letter case, accents, or both.
///
/// Case is folded as by Unicode's full default case folding (`ß` as `ss`, `ς` as `σ`, `ı` stays). Accents fold by canonical decomposition without combining
/// marks (scalars whose canonical combining class is not 0), so composed and decomposed text fold alike; Hangul syllables stay whole.
///
/// ```swift
/// Folding.all.folded("Élodie Groß")  // the bytes of "elodie gross"
/// ```
package struct Folding: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue & 3
  }

  package static let letterCase = Folding(rawValue: 1)
  package static let accents = Folding(rawValue: 2)
  package static let all: Folding = [.letterCase, .accents]

  /// The folded form of UTF-8, as UTF-8. Bytes that are no UTF-8 stay as they are.
  package func folded(_ text: String) -> [UInt8] {
    var text = text
    var output: [UInt8] = []
    text.withUTF8 { fold(UnsafeRawBufferPointer($0), into: &output) }
    return output
  }

  /// Appends the folded form of UTF-8. Linear; ASCII goes by bytes, everything else by a table that fills as scalars are met.
  package func fold(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) {
    var index = foldASCII(bytes, from: 0, into: &output)
    guard index < bytes.count else { return }
    guard !isEmpty else {
      output.append(contentsOf: bytes[index...])
      return
    }
    var cursor = FoldingCursor(self)
    while index < bytes.count {
      if bytes[index] < 0x80 {
        index = foldASCII(bytes, from: index, into: &output)
      } else if let (scalar, length) = UTF8Scalar.decode(bytes, at: index) {
        index += length
        let whole = contains(.accents) ? HangulComposition.compose(scalar, with: bytes, at: &index) : scalar
        cursor.append(whole, to: &output)
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
  }

  /// Appends the run of ASCII from `start` on, and returns where it ends.
  private func foldASCII(_ bytes: UnsafeRawBufferPointer, from start: Int, into output: inout [UInt8]) -> Int {
    let end = Folding.endOfASCII(bytes, from: start)
    let first = output.count
    output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    guard contains(.letterCase) else { return end }
    output.withUnsafeMutableBufferPointer { output in
      // Without a branch, so that it becomes vector instructions.
      for index in first..<output.count {
        let byte = output[index]
        output[index] = byte | (byte &- UInt8(ascii: "A") < 26 ? 0x20 : 0)
      }
    }
    return end
  }

  private static func endOfASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index + 8 <= bytes.count {
      if bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { break }
      index += 8
    }
    while index < bytes.count, bytes[index] < 0x80 { index += 1 }
    return index
  }
}

/// One scalar of UTF-8 at a time.
enum UTF8Scalar {
  /// The scalar that begins at `index` and its length in bytes; nil where the bytes are no UTF-8.
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

/// Puts Hangul syllables together from their letters, as some systems write file names (Unicode 3.12, conjoining jamo behaviour).
enum HangulComposition {
  private static let syllables: Range<UInt32> = 0xAC00..<0xD7A4
  private static let leads: Range<UInt32> = 0x1100..<0x1113
  private static let vowels: Range<UInt32> = 0x1161..<0x1176
  private static let trails: Range<UInt32> = 0x11A8..<0x11C3

  /// The syllable that `scalar` makes with the letters at `index`, which moves behind them; `scalar` itself where it makes none.
  static func compose(_ scalar: UInt32, with bytes: UnsafeRawBufferPointer, at index: inout Int) -> UInt32 {
    var syllable = scalar
    if leads.contains(scalar) {
      guard let vowel = next(of: vowels, bytes, &index) else { return scalar }
      syllable = syllables.lowerBound + ((scalar - leads.lowerBound) * 21 + vowel) * 28
    }
    guard syllables.contains(syllable), (syllable - syllables.lowerBound) % 28 == 0, let trail = next(of: trails, bytes, &index) else {
      return syllable
    }
    return syllable + trail + 1
  }

  private static func next(of range: Range<UInt32>, _ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> UInt32? {
    guard index < bytes.count, bytes[index] == 0xE1, let (scalar, length) = UTF8Scalar.decode(bytes, at: index), range.contains(scalar)
    else {
      return nil
    }
    index += length
    return scalar - range.lowerBound
  }
}
