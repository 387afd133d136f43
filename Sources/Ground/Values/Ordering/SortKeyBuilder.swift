import Glibc

/// The position of an item in a sorted list, as bytes. Two keys are compared with one `memcmp`.
package struct SortKey: Hashable, Comparable {
  package let bytes: [UInt8]

  package static func < (a: SortKey, b: SortKey) -> Bool {
    a.bytes.withUnsafeBytes { left in
      b.bytes.withUnsafeBytes { right in
        let common = min(left.count, right.count)
        // An empty buffer may not have a base address.
        let order =
          if let left = left.baseAddress, let right = right.baseAddress { memcmp(left, right, common) } else {
            0 as Int32
          }
        return order == 0 ? left.count < right.count : order < 0
      }
    }
  }
}

/// Builds a sort key from the values of the sort descriptors, in their order, and the id.
///
/// Each value becomes a segment. No segment is a prefix of another one, so concatenated segments compare one
/// after the other, and a descending segment is simply inverted. Only that of a missing or null value has one
/// byte of its own in both directions. A segment begins with a byte for the type (`Tag`), followed by:
/// - numbers: the exponent, then two decimal digits per byte; inverted if negative;
/// - dates: seconds and nanoseconds;
/// - strings: the folded text, in which a length precedes each run of digits, then the differences
///   between the text and its folded form (`appendDifferences`);
/// - lists and maps: the segments of their contents, then a zero byte.
package struct SortKeyBuilder {
  private(set) var bytes: [UInt8] = []
  private var folded: [UInt8] = []
  private var plain: [UInt8] = []

  package init() {}

  /// Appends the value of one sort descriptor. `exact` compares strings by their code points alone.
  /// Missing and null values come last in both directions, unless `nullsFirst`.
  package mutating func append(
    _ value: Value?, exact: Bool = false, descending: Bool = false, nullsFirst: Bool = false
  ) {
    guard let value, value != .null else { return bytes.append(nullsFirst ? Tag.firstNull : Tag.lastNull) }
    let start = bytes.count
    appendSegment(value, exact)
    if descending { invert(from: start) }
  }

  /// Appends the id in string order, as the tie-breaker that makes the order total. Call it last.
  package mutating func append(id: String) {
    var id = id
    id.withUTF8 { appendNatural(UnsafeRawBufferPointer($0)) }
  }

  package mutating func finish() -> SortKey {
    defer { bytes.removeAll(keepingCapacity: true) }
    return SortKey(bytes: bytes.withUnsafeBytes { Array($0) })
  }

  package mutating func finish(into keys: inout [UInt8]) {
    keys += bytes
    bytes.removeAll(keepingCapacity: true)
  }

  private enum Tag {
    static let end: UInt8 = 0
    /// Less than every other tag, inverted or not.
    static let firstNull: UInt8 = 1
    static let `false`: UInt8 = 2
    static let `true`: UInt8 = 3
    /// The first of the number tags; `ExactNumber.Kind` is added.
    static let number: UInt8 = 4
    static let date: UInt8 = 10
    static let string: UInt8 = 11
    static let list: UInt8 = 12
    static let map: UInt8 = 13
    /// A null in a list or map.
    static let null: UInt8 = 14
    /// Greater than every other tag, inverted or not.
    static let lastNull: UInt8 = 0xFE
  }

  private mutating func appendSegment(_ value: Value, _ exact: Bool) {
    switch value {
    case .null: bytes.append(Tag.null)
    case .bool(let flag): bytes.append(flag ? Tag.true : Tag.false)
    case .number(let number): append(ExactNumber(number))
    case .date(let date): append(date)
    case .string(let text): append(text, exact)
    case .list(let elements):
      bytes.append(Tag.list)
      for element in elements { appendSegment(element, exact) }
      bytes.append(Tag.end)
    case .map(let fields):
      bytes.append(Tag.map)
      for (key, value) in fields.sortedByKey {
        append(key, true)
        appendSegment(value, exact)
      }
      bytes.append(Tag.end)
    }
  }

  private mutating func append(_ number: ExactNumber) {
    bytes.append(Tag.number + number.kind.rawValue)
    guard !number.digits.isEmpty else { return }
    let start = bytes.count
    switch number.exponent {
    case -64..<64: bytes.append(UInt8(0x80 + number.exponent))
    case let exponent:
      bytes.append(exponent < 0 ? 0x3F : 0xC0)
      append(bigEndian: UInt64(bitPattern: Int64(exponent)) ^ 1 << 63)
    }
    for index in stride(from: 0, to: number.digits.count, by: 2) {
      let second = index + 1 < number.digits.count ? number.digits[index + 1] : 0
      bytes.append(1 + number.digits[index] * 10 + second)
    }
    bytes.append(Tag.end)
    if number.kind == .negative { invert(from: start) }
  }

  private mutating func append(_ date: Timestamp) {
    bytes.append(Tag.date)
    append(bigEndian: UInt64(bitPattern: date.seconds) ^ 1 << 63)
    bytes.append(date.nanoseconds == 0 ? 0 : 1)
    if date.nanoseconds != 0 { append(bigEndian: UInt32(bitPattern: date.nanoseconds)) }
  }

  private mutating func append(_ text: String, _ exact: Bool) {
    bytes.append(Tag.string)
    var text = text
    text.withUTF8 {
      let text = UnsafeRawBufferPointer($0)
      if exact { appendEscaped(text) } else { appendNatural(text) }
    }
  }

  private mutating func append<T: FixedWidthInteger>(bigEndian value: T) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func invert(from start: Int) {
    for index in start..<bytes.count { bytes[index] = ~bytes[index] }
  }

  private mutating func appendEscaped(_ text: some Sequence<UInt8>) {
    for byte in text { appendEscaped(byte) }
    bytes.append(Tag.end)
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    if byte <= 1 {
      bytes.append(1)
      bytes.append(byte + 1)
    } else {
      bytes.append(byte)
    }
  }

  private mutating func appendNatural(_ text: UnsafeRawBufferPointer) {
    folded.removeAll(keepingCapacity: true)
    plain.removeAll(keepingCapacity: true)
    Folding.all.fold(text, into: &folded)
    var index = 0
    while index < folded.count {
      if ValueOrder.isDigit(folded[index]) {
        let run = ValueOrder.digitRun(folded, &index)
        appendDigits(run)
        plain.append(contentsOf: run)
      } else {
        appendEscaped(folded[index])
        plain.append(folded[index])
        index += 1
      }
    }
    bytes.append(Tag.end)
    appendDifferences(of: text)
  }

  /// Appends a byte for the number of digits, which sorts as a digit does, and the digits.
  private mutating func appendDigits(_ run: ArraySlice<UInt8>) {
    if run.count < 10 {
      bytes.append(UInt8(ascii: "0") + UInt8(run.count - 1))
    } else {
      bytes.append(UInt8(ascii: "9"))
      append(bigEndian: UInt64(run.count))
    }
    bytes.append(contentsOf: run)
  }

  /// Orders texts with the same folded form by their bytes, as differences from it: most texts differ little.
  ///
  /// A capital letter is smaller than its folded form. If two texts have the same differences so far, the
  /// one with the next smaller byte comes first. Any other difference ends the encoding with the rest of
  /// the text as it is. Each entry is one byte, where `gap` is the number of equal bytes before it:
  /// - `0x01 + 2 × gap`: a smaller byte, then the rest; `0x02 + 2 × gap`: a capital letter; `0x3F`
  ///   adds 31 to the gap;
  /// - `0x40`: no further difference;
  /// - `0x7F - gap`: a greater byte, then the rest; `0x60` adds 31 to the gap.
  private mutating func appendDifferences(of text: UnsafeRawBufferPointer) {
    var place = 0
    var gap = 0
    for index in text.indices {
      let byte = text[index]
      let expected = place < plain.count ? plain[place] : nil
      if byte == expected {
        gap += 1
      } else if byte &- UInt8(ascii: "A") < 26, byte | 0x20 == expected {
        appendSmaller(gap: &gap, code: 2)
      } else {
        if let expected, byte < expected {
          appendSmaller(gap: &gap, code: 1)
        } else {
          appendGreater(gap: gap)
        }
        appendEscaped(text[index...])
        return
      }
      place += 1
    }
    bytes.append(0x40)
  }

  private mutating func appendSmaller(gap: inout Int, code: UInt8) {
    while gap > 30 {
      bytes.append(0x3F)
      gap -= 31
    }
    bytes.append(code + 2 * UInt8(gap))
    gap = 0
  }

  private mutating func appendGreater(gap: Int) {
    for _ in 0..<gap / 31 { bytes.append(0x60) }
    bytes.append(0x7F - UInt8(gap % 31))
  }
}
