/// The exact value of a number as decimal digits.
///
/// It gives integers of any length, doubles and numbers beyond the range of a double one order and
/// one equality:
/// - An integer has all of its digits.
/// - A number with a point or an exponent has the value of the nearest double, so `3.1` and `3.10`
///   are equal. An integral double is that integer, to the last digit; any other double is the
///   shortest decimal that reads back as the same double.
/// - A number beyond the range of a double is the decimal as written.
package struct ExactNumber {
  /// The sign and the special cases, in ascending order.
  package enum Kind: UInt8, Sendable {
    case notANumber
    case negativeInfinity
    case negative
    case zero
    case positive
    case positiveInfinity
  }

  package let kind: Kind
  /// The exponent: the value is 0.d₁d₂d₃… × 10^exponent. Clamped to ±10¹⁷.
  let exponent: Int
  /// The digits 0...9, without leading and trailing zeros.
  let digits: [UInt8]

  package init(_ number: Number) {
    switch number {
    case .integer(let value):
      self.init(negative: value < 0, digits: ExactNumber.digits(of: UInt64(value.magnitude)), pointAfter: nil)
    case .double(let value): self.init(value)
    case .literal(let text):
      let value = number.isWrittenAsInteger ? 0 : number.doubleValue
      // A literal that underflows to 0 as a double is not zero.
      if value.isFinite, value != 0 { self.init(value) } else { self.init(decimal: text) }
    }
  }

  private init(_ value: Double) {
    if value.isNaN {
      self.init(.notANumber)
    } else if value.isInfinite {
      self.init(value < 0 ? .negativeInfinity : .positiveInfinity)
    } else if abs(value) < 0x1p53 {
      self.init(decimal: value.description)
    } else {
      self.init(negative: value < 0, digits: ExactNumber.digits(ofWhole: value.magnitude), pointAfter: nil)
    }
  }

  private init(_ kind: Kind, exponent: Int = 0, digits: [UInt8] = []) {
    self.kind = kind
    self.exponent = exponent
    self.digits = digits
  }

  package init(decimal text: String) {
    var text = text
    self = text.withUTF8 { bytes in
      guard let decimal = DecimalText(UnsafeRawBufferPointer(bytes)) else { return ExactNumber(Kind.zero) }
      return ExactNumber(
        negative: decimal.isNegative, digits: decimal.digits, pointAfter: decimal.wholeCount,
        scale: decimal.scale(upTo: ExactNumber.maxExponent))
    }
  }

  private static let maxExponent = 100_000_000_000_000_000

  private init(negative: Bool, digits: [UInt8], pointAfter: Int?, scale: Int = 0) {
    guard let first = digits.firstIndex(where: { $0 != 0 }), let last = digits.lastIndex(where: { $0 != 0 })
    else {
      self.init(Kind.zero)
      return
    }
    let exponent = (pointAfter ?? digits.count) - first + scale
    self.init(negative ? .negative : .positive, exponent: exponent, digits: Array(digits[first...last]))
  }

  private static func digits(of value: UInt64) -> [UInt8] {
    var digits: [UInt8] = []
    var rest = value
    while rest > 0 {
      digits.append(UInt8(rest % 10))
      rest /= 10
    }
    digits.reverse()
    return digits
  }

  /// Returns the digits of a double of at least 2⁵³: its significand, doubled in limbs of nine digits.
  private static func digits(ofWhole value: Double) -> [UInt8] {
    let shift = Int(value.exponent) - Double.significandBitCount
    var limbs: [UInt64] = []
    var rest = value.significandBitPattern | 1 << UInt64(Double.significandBitCount)
    while rest > 0 {
      limbs.append(rest % 1_000_000_000)
      rest /= 1_000_000_000
    }
    for _ in 0..<shift {
      var carry: UInt64 = 0
      for index in limbs.indices {
        let doubled = limbs[index] * 2 + carry
        limbs[index] = doubled % 1_000_000_000
        carry = doubled / 1_000_000_000
      }
      if carry > 0 { limbs.append(carry) }
    }
    return limbs.reversed().flatMap { limb in
      let digits = digits(of: limb)
      return [UInt8](repeating: 0, count: 9 - digits.count) + digits
    }
  }

  /// The representative of all numbers of this value, see `Number.canonical`.
  var canonical: Number {
    switch kind {
    case .notANumber: return .double(.nan)
    case .negativeInfinity: return .double(-.infinity)
    case .positiveInfinity: return .double(.infinity)
    case .zero: return .integer(0)
    case .negative, .positive: break
    }
    if let text = integerDigits(maxDigits: ExactNumber.maxIntegerDigits) {
      return Int(text).map(Number.integer) ?? .literal(text)
    }
    let point = digits.count > 1 ? "." + text(of: digits.dropFirst()) : ""
    let scientific = sign + text(of: digits.prefix(1)) + point + "e\(exponent - 1)"
    if let value = Double(scientific), value.isFinite, ExactNumber(value) == self { return .double(value) }
    return .literal(integerDigits(maxDigits: digits.count + ExactNumber.maxZeros) ?? scientific)
  }

  func integerDigits(maxDigits: Int) -> String? {
    if kind == .zero { return "0" }
    guard kind == .negative || kind == .positive, exponent >= digits.count, exponent <= maxDigits else {
      return nil
    }
    return sign + text(of: digits) + String(repeating: "0", count: exponent - digits.count)
  }

  /// An integral double with more digits has an exponent in its canonical form.
  private static let maxIntegerDigits = 40
  /// An integer beyond the range of a double with more trailing zeros has an exponent in its canonical form.
  private static let maxZeros = 20

  private var sign: String { kind == .negative ? "-" : "" }

  private func text(of digits: some Sequence<UInt8>) -> String {
    String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
  }
}

extension ExactNumber: Comparable {
  package static func < (a: ExactNumber, b: ExactNumber) -> Bool {
    if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
    return a.kind == .negative ? isCloserToZero(b, a) : isCloserToZero(a, b)
  }

  private static func isCloserToZero(_ a: ExactNumber, _ b: ExactNumber) -> Bool {
    a.exponent == b.exponent ? a.digits.lexicographicallyPrecedes(b.digits) : a.exponent < b.exponent
  }
}
