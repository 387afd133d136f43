#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import Values

/// A type that is decoded from one value, without containers.
protocol DecodableScalar: Decodable {
  /// Decodes a value. Fails if the value is not of this type or does not fit.
  init?(_ value: Value)
  /// The expected value, for messages: `an integer`.
  static var expected: String { get }
}

extension Bool: DecodableScalar {
  static let expected = "true or false"

  init?(_ value: Value) {
    guard case .bool(let flag) = value else { return nil }
    self = flag
  }
}

extension String: DecodableScalar {
  static let expected = "a string"

  init?(_ value: Value) {
    switch value {
    case .string(let text): self = text
    case .date(let date): self = date.text
    default: return nil
    }
  }
}

extension FixedWidthInteger where Self: DecodableScalar {
  static var expected: String { "an integer from \(min) to \(max)" }

  init?(_ value: Value) {
    guard case .number(let number) = value else { return nil }
    // No integer type has more digits than these.
    let exact =
      if case .integer(let integer) = number { Self(exactly: integer) } else {
        number.integerDigits(maxDigits: 40).flatMap { Self($0) }
      }
    guard let exact else { return nil }
    self = exact
  }
}

extension Int: DecodableScalar {}
extension Int8: DecodableScalar {}
extension Int16: DecodableScalar {}
extension Int32: DecodableScalar {}
extension Int64: DecodableScalar {}
extension Int128: DecodableScalar {}
extension UInt: DecodableScalar {}
extension UInt8: DecodableScalar {}
extension UInt16: DecodableScalar {}
extension UInt32: DecodableScalar {}
extension UInt64: DecodableScalar {}
extension UInt128: DecodableScalar {}

extension Double: DecodableScalar {
  static let expected = "a number"

  /// The nearest number. A literal beyond the range is refused; the infinities of YAML are not.
  init?(_ value: Value) {
    guard case .number(let number) = value else { return nil }
    if case .literal = number, number.doubleValue.isInfinite { return nil }
    self = number.doubleValue
  }
}

extension Float: DecodableScalar {
  static let expected = "a number"

  init?(_ value: Value) {
    guard let double = Double(value) else { return nil }
    self = Float(double)
    if isInfinite, double.isFinite { return nil }
  }
}

extension Decimal: DecodableScalar {
  static let expected = "a decimal number"

  /// The digits as written, as many as fit.
  init?(_ value: Value) {
    guard case .number(let number) = value, number.doubleValue.isFinite,
      let decimal = Decimal(string: number.description)
    else { return nil }
    self = decimal
  }
}

extension Date: DecodableScalar {
  static let expected = "an ISO 8601 date or time"

  init?(_ value: Value) {
    guard case .date(let date) = value else { return nil }
    self.init(date)
  }
}

extension Data: DecodableScalar {
  static let expected = "a string in base64, or a list of bytes"

  init?(_ value: Value) {
    switch value {
    case .string(let text):
      guard let data = Data(base64Encoded: text) else { return nil }
      self = data
    case .list(let elements):
      let bytes = elements.compactMap { UInt8($0) }
      guard bytes.count == elements.count else { return nil }
      self.init(bytes)
    default: return nil
    }
  }
}

extension URL: DecodableScalar {
  static let expected = "a URL"

  init?(_ value: Value) {
    guard let text = String(value) else { return nil }
    self.init(string: text)
  }
}
