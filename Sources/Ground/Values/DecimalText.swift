/// A decimal number as YAML and JSON write it: an optional sign, digits, a fraction, an exponent.
///
/// `[-+]? ( [0-9]+ ( \. [0-9]* )? | \. [0-9]+ ) ( [eE] [-+]? [0-9]+ )?`
struct DecimalText {
  private let text: UnsafeRawBufferPointer
  let isNegative: Bool
  private let whole: Range<Int>
  private let fraction: Range<Int>
  /// The exponent with its `e`; empty if there is none.
  private let exponent: Range<Int>
  private let hasPoint: Bool

  var isInteger: Bool { !hasPoint && exponent.isEmpty }

  init?(_ text: UnsafeRawBufferPointer) {
    var position = 0
    func digits(from start: Int) -> Range<Int> {
      var end = start
      while end < text.count, text[end] &- 0x30 < 10 { end += 1 }
      return start..<end
    }
    if let first = text.first, first == "-" || first == "+" { position = 1 }
    let whole = digits(from: position)
    position = whole.upperBound
    var fraction = position..<position
    hasPoint = position < text.count && text[position] == "."
    if hasPoint {
      fraction = digits(from: position + 1)
      position = fraction.upperBound
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    let exponentStart = position
    if position < text.count, text[position] | 0x20 == "e" {
      position += 1
      if position < text.count, text[position] == "-" || text[position] == "+" {
        position += 1
      }
      let exponent = digits(from: position)
      guard !exponent.isEmpty else { return nil }
      position = exponent.upperBound
    }
    guard position == text.count else { return nil }
    self.text = text
    isNegative = text[0] == "-"
    self.whole = whole
    self.fraction = fraction
    exponent = exponentStart..<position
  }

  /// The value of an integer; nil if it does not fit in an `Int`. `-0` is 0.
  var int: Int? {
    var value = 0
    for byte in text[whole] {
      let digit = Int(byte) - 0x30
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isTooLargeNow) = product.subtractingReportingOverflow(digit)
      if isTooLarge || isTooLargeNow { return nil }
      value = sum
    }
    // Summed up as a negative number, because the smallest `Int` has no positive counterpart.
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  var digits: [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(whole.count + fraction.count)
    for byte in text[whole] { digits.append(byte - UInt8(ascii: "0")) }
    for byte in text[fraction] { digits.append(byte - UInt8(ascii: "0")) }
    return digits
  }

  var wholeCount: Int { whole.count }

  /// Returns the exponent, which is at most `limit` in either direction.
  func scale(upTo limit: Int) -> Int {
    var scale = 0
    for byte in text[exponent] where byte &- 0x30 < 10 { scale = min(scale * 10 + Int(byte - 0x30), limit) }
    return text[exponent].contains(UInt8(ascii: "-")) ? -scale : scale
  }

  var isJSON: Bool {
    guard text.first != "+", !whole.isEmpty else { return false }
    let hasLeadingZero = whole.count > 1 && text[whole.lowerBound] == "0"
    return !hasLeadingZero && (!hasPoint || !fraction.isEmpty)
  }

  func isText(_ other: String) -> Bool { text.elementsEqual(other.utf8) }

  /// The value of a short JSON number with a point and without an exponent, exactly rounded: up to 15 digits
  /// and powers of ten up to 10²² are exact doubles, so one division rounds correctly. Nil for any other.
  var simpleDouble: Double? {
    guard hasPoint, exponent.isEmpty, isJSON, fraction.count <= DecimalText.maxSimpleFraction else {
      return nil
    }
    var digits = 0
    for range in [whole, fraction] {
      for byte in text[range] {
        digits = digits * 10 + Int(byte - UInt8(ascii: "0"))
        if digits >= DecimalText.simpleLimit { return nil }
      }
    }
    let magnitude = Double(digits) / DecimalText.powersOfTen[fraction.count]
    return isNegative ? -magnitude : magnitude
  }

  /// True if Swift prints `simpleDouble` as this text: no superfluous zero, no exponent.
  var isSimpleCanonical: Bool {
    guard let last = fraction.last else { return false }
    if text[last] == "0", fraction.count > 1 { return false }
    let zeros = text[fraction].prefix { $0 == "0" }.count
    return text[whole.lowerBound] != "0" || zeros <= DecimalText.maxZerosWithoutExponent
  }

  private static let maxSimpleFraction = 22
  private static let simpleLimit = 1_000_000_000_000_000
  /// Swift prints `0.0001` as it is, and `0.00001` as `1e-05`.
  private static let maxZerosWithoutExponent = 3
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
  ]

  /// The nearest `Double`; infinite if the number is beyond its range.
  var double: Double {
    Double(String(decoding: json, as: UTF8.self)) ?? (isNegative ? -.infinity : .infinity)
  }

  /// The number as JSON (RFC 8259): no `+`, no leading zeros, digits on both sides of the point.
  var json: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count + 2)
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    let significant = text[whole].drop { $0 == "0" }
    if significant.isEmpty { bytes.append(UInt8(ascii: "0")) } else { bytes.append(contentsOf: significant) }
    if !fraction.isEmpty {
      bytes.append(UInt8(ascii: "."))
      bytes.append(contentsOf: text[fraction])
    }
    bytes.append(contentsOf: text[exponent])
    return bytes
  }
}
