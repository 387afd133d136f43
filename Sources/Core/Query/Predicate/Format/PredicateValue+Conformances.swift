public import Files
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Values

extension Value: PredicateValueConvertible {
  /// The value itself.
  public var predicateValue: PredicateValue { PredicateValue(self) }
}

extension FieldPath: PredicateValueConvertible {
  /// The value of the field at this path.
  public var predicateValue: PredicateValue { PredicateValue(field: self) }
}

// MARK: Strings

extension String: PredicateValueConvertible {
  /// The string. One that is an ISO 8601 date compares as that date.
  public var predicateValue: PredicateValue { PredicateValue(.string(self)) }
}

extension Substring: PredicateValueConvertible {
  /// The string. One that is an ISO 8601 date compares as that date.
  public var predicateValue: PredicateValue { String(self).predicateValue }
}

extension UUID: PredicateValueConvertible {
  /// The string in upper case. If files have it in lower case, compare with `=[c]`.
  public var predicateValue: PredicateValue { uuidString.predicateValue }
}

extension URL: PredicateValueConvertible {
  /// The absolute URL as a string.
  public var predicateValue: PredicateValue { absoluteString.predicateValue }
}

extension Item.ID: PredicateValueConvertible {
  /// The value of `@id`.
  public var predicateValue: PredicateValue { description.predicateValue }
}

extension RelativePath: PredicateValueConvertible {
  /// The value of `@path`.
  public var predicateValue: PredicateValue { description.predicateValue }
}

// MARK: Numbers, booleans and dates

extension Bool: PredicateValueConvertible {
  /// The boolean.
  public var predicateValue: PredicateValue { PredicateValue(.bool(self)) }
}

extension Number: PredicateValueConvertible {
  /// The number.
  public var predicateValue: PredicateValue { PredicateValue(.number(self)) }
}

extension PredicateValueConvertible where Self: BinaryInteger {
  /// The integer, with all of its digits.
  public var predicateValue: PredicateValue { Number(json: description).predicateValue }
}

extension Int: PredicateValueConvertible {}
extension Int8: PredicateValueConvertible {}
extension Int16: PredicateValueConvertible {}
extension Int32: PredicateValueConvertible {}
extension Int64: PredicateValueConvertible {}
extension Int128: PredicateValueConvertible {}
extension UInt: PredicateValueConvertible {}
extension UInt8: PredicateValueConvertible {}
extension UInt16: PredicateValueConvertible {}
extension UInt32: PredicateValueConvertible {}
extension UInt64: PredicateValueConvertible {}
extension UInt128: PredicateValueConvertible {}

extension Double: PredicateValueConvertible {
  /// The number.
  public var predicateValue: PredicateValue { Number.double(self).predicateValue }
}

extension Float: PredicateValueConvertible {
  /// The number that the `Float` prints: 3.1 equals 3.1 in a file.
  public var predicateValue: PredicateValue {
    (Number(json: description) ?? .double(Double(self))).predicateValue
  }
}

extension Decimal: PredicateValueConvertible {
  /// The number with all of its digits; `.nan` if the decimal is not a number.
  public var predicateValue: PredicateValue { (Number(json: description) ?? .double(.nan)).predicateValue }
}

extension Timestamp: PredicateValueConvertible {
  /// The date, exactly.
  public var predicateValue: PredicateValue { PredicateValue(.date(self)) }
}

extension Date: PredicateValueConvertible {
  /// The moment, to the microsecond: a `Date` that was decoded from a file equals the time in that file.
  ///
  /// A date that is not a number equals no date.
  public var predicateValue: PredicateValue {
    guard !timeIntervalSinceReferenceDate.isNaN else { return Double.nan.predicateValue }
    // A Date counts from 2001 with the resolution of a Double: 0.1 µs today.
    let limit = 1e15
    let interval = min(max(timeIntervalSinceReferenceDate, -limit), limit)
    let whole = interval.rounded(.down)
    let microseconds = Int64(((interval - whole) * 1e6).rounded())
    let seconds =
      Int64(whole) + Int64(Date.timeIntervalBetween1970AndReferenceDate) + microseconds / 1_000_000
    return Timestamp(exactly: seconds, nanoseconds: Int32(microseconds % 1_000_000) * 1_000).predicateValue
  }
}

// MARK: Optionals and collections

extension Optional: PredicateValueConvertible where Wrapped: PredicateValueConvertible {
  /// The value, or `NULL`.
  public var predicateValue: PredicateValue { self?.predicateValue ?? PredicateValue(.null) }
}

extension Array: PredicateValueConvertible where Element: PredicateValueConvertible {
  /// The list of the elements.
  public var predicateValue: PredicateValue {
    PredicateValue(PredicateOperand(elements: map(\.predicateValue.operand)))
  }
}

extension Set: PredicateValueConvertible where Element: PredicateValueConvertible {
  /// The list of the elements, in the order of their texts.
  public var predicateValue: PredicateValue {
    PredicateValue(
      PredicateOperand(elements: map(\.predicateValue.operand).sorted { $0.written < $1.written }))
  }
}

extension ClosedRange: PredicateValueConvertible where Bound: PredicateValueConvertible {
  /// The range, for IN and BETWEEN.
  public var predicateValue: PredicateValue {
    PredicateValue(
      .range(lowerBound.predicateValue.operand, upperBound.predicateValue.operand, isClosed: true))
  }
}

extension Range: PredicateValueConvertible where Bound: PredicateValueConvertible {
  /// The range without its upper bound, for IN and BETWEEN.
  public var predicateValue: PredicateValue {
    PredicateValue(
      .range(lowerBound.predicateValue.operand, upperBound.predicateValue.operand, isClosed: false))
  }
}
