/// A decimal number as YAML and JSON write it: an optional sign, digits, a fraction, an exponent.
///
/// `[-+]? ( [0-9]+ ( \. [0-9]* )? | \. [0-9]+ ) ( [eE] [-+]? [0-9]+ )?`
struct DecimalText {
  private let text: UnsafeRawBufferPointer
  private let isNegative: Bool
  private let whole: Range<Int>
  private let fraction: Range<Int>
  /// With its `e`; empty where there is none.
  private let exponent: Range<Int>
  let isInteger: Bool

  /// Nil where `text` is anything else.
  init?(_ text: UnsafeRawBufferPointer) {
    var position = 0
    func digits(from start: Int) -> Range<Int> {
      var end = start
      while end < text.count, text[end] &- 0x30 < 10 { end += 1 }
      return start..<end
    }
    if let first = text.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { position = 1 }
    let whole = digits(from: position)
    position = whole.upperBound
    var fraction = position..<position
    let hasPoint = position < text.count && text[position] == UInt8(ascii: ".")
    if hasPoint {
      fraction = digits(from: position + 1)
      position = fraction.upperBound
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    let exponentStart = position
    if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < text.count, text[position] == UInt8(ascii: "-") || text[position] == UInt8(ascii: "+") { position += 1 }
      let exponent = digits(from: position)
      guard !exponent.isEmpty else { return nil }
      position = exponent.upperBound
    }
    guard position == text.count else { return nil }
    self.text = text
    isNegative = text[0] == UInt8(ascii: "-")
    self.whole = whole
    self.fraction = fraction
    exponent = exponentStart..<position
    isInteger = !hasPoint && exponent.isEmpty
  }

  /// Of an integer, where it is no larger than that. `-0` is 0.
  var int: Int? {
    var value = 0
    for byte in text[whole] {
      let digit = Int(byte) - 0x30
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isTooLargeNow) = product.subtractingReportingOverflow(digit)
      if isTooLarge || isTooLargeNow { return nil }
      value = sum
    }
    // Counted downwards, since the least integer has no positive twin.
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  /// The nearest; infinite where it is beyond the range.
  var double: Double { Double(String(decoding: json, as: UTF8.self)) ?? (isNegative ? -.infinity : .infinity) }

  /// The same number as RFC 8259 writes it: no `+`, no leading zeros, digits on both sides of the point.
  var json: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count + 2)
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    let significant = text[whole].drop { $0 == UInt8(ascii: "0") }
    if significant.isEmpty { bytes.append(UInt8(ascii: "0")) } else { bytes.append(contentsOf: significant) }
    if !fraction.isEmpty {
      bytes.append(UInt8(ascii: "."))
      bytes.append(contentsOf: text[fraction])
    }
    bytes.append(contentsOf: text[exponent])
    return bytes
  }
}
