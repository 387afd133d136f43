#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import Query
import Values

/// A type that is one value in a file, without containers.
protocol CodableScalar: Codable {
  /// Decodes a value. Fails if the value is not of this type or does not fit.
  init?(_ value: Value)
  /// The expected value, for messages: `an integer`.
  static var expected: String { get }
  /// The value; nil if no file can hold it.
  var encoded: Value? { get }
}

extension Bool: CodableScalar {
  static let expected = "true or false"

  init?(_ value: Value) {
    guard case .bool(let flag) = value else { return nil }
    self = flag
  }

  var encoded: Value? { .bool(self) }
}

extension String: CodableScalar {
  static let expected = "a string"

  init?(_ value: Value) {
    switch value {
    case .string(let text): self = text
    case .date(let date): self = date.text
    default: return nil
    }
  }

  var encoded: Value? { .string(self) }
}

extension FixedWidthInteger where Self: CodableScalar {
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

  var encoded: Value? {
    (Int(exactly: self).map(Number.integer) ?? Number(json: String(self))).map(Value.number)
  }
}

extension Int: CodableScalar {}
extension Int8: CodableScalar {}
extension Int16: CodableScalar {}
extension Int32: CodableScalar {}
extension Int64: CodableScalar {}
extension Int128: CodableScalar {}
extension UInt: CodableScalar {}
extension UInt8: CodableScalar {}
extension UInt16: CodableScalar {}
extension UInt32: CodableScalar {}
extension UInt64: CodableScalar {}
extension UInt128: CodableScalar {}

extension Double: CodableScalar {
  static let expected = "a number"

  /// The nearest number. A literal beyond the range is refused; the infinities of YAML are not.
  init?(_ value: Value) {
    guard case .number(let number) = value else { return nil }
    if case .literal = number, number.doubleValue.isInfinite { return nil }
    self = number.doubleValue
  }

  var encoded: Value? { .number(.double(self)) }
}

extension Float: CodableScalar {
  static let expected = "a number"

  init?(_ value: Value) {
    guard let double = Double(value) else { return nil }
    self = Float(double)
    if isInfinite, double.isFinite { return nil }
  }

  /// The shortest text that reads back as this number: `0.1`, not `0.10000000149011612`.
  var encoded: Value? {
    guard isFinite, let short = Double(description), Float(short) == self else {
      return .number(.double(Double(self)))
    }
    return .number(.double(short))
  }
}

extension Decimal: CodableScalar {
  static let expected = "a decimal number"

  /// The digits as written, as many as fit.
  init?(_ value: Value) {
    guard case .number(let number) = value, number.doubleValue.isFinite,
      let decimal = Decimal(string: number.description)
    else { return nil }
    self = decimal
  }

  var encoded: Value? { isFinite ? Number(json: description).map(Value.number) : nil }
}

extension Date: CodableScalar {
  static let expected = "an ISO 8601 date or time"

  init?(_ value: Value) {
    guard case .date(let date) = value else { return nil }
    self.init(date)
  }

  /// The time in UTC with as many digits as needed. No file can hold the years before 0 and after
  /// 9999.
  var encoded: Value? { Timestamp(self).map(Value.date) }
}

extension Data: CodableScalar {
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

  var encoded: Value? { .string(base64EncodedString()) }
}

extension URL: CodableScalar {
  static let expected = "a URL"

  init?(_ value: Value) {
    guard let text = String(value) else { return nil }
    self.init(string: text)
  }

  var encoded: Value? { .string(absoluteString) }
}
