import Files
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Values

/// A type whose values can be interpolated in a predicate.
protocol PredicateOperandConvertible {
  var predicateOperand: PredicateOperand { get }
  /// The value beside `@id`: the printed form of an id, as `@id` has it.
  var idOperand: PredicateOperand { get }
}

extension PredicateOperandConvertible {
  /// The value, which is not an id.
  var idOperand: PredicateOperand { predicateOperand }
}

extension PredicateOperandConvertible where Self: ItemIDConvertible {
  /// The id that the value is.
  var idOperand: PredicateOperand { itemID.predicateOperand }
}

extension PredicateOperand {
  /// The operand of a value as it is. A string that is a date is that date.
  init(_ value: Value) { self = .value(value.withDates) }

  /// The operand of a value of the program, beside a field or beside `@id`. Nil if no field can have such a
  /// value.
  init?(of value: Any, asID: Bool = false) {
    if let value = value as? any PredicateOperandConvertible {
      self = asID ? value.idOperand : value.predicateOperand
    } else if let value = value as? any RawRepresentable, !(asID && value is any ItemIDConvertible) {
      self.init(of: value.rawValue, asID: asID)
    } else if let id = value as? any ItemIDConvertible {
      self = id.itemID.predicateOperand
    } else if let elements = value as? any Collection {
      let style = Mirror(reflecting: value).displayStyle
      if style == .dictionary { return nil }
      var operands: [PredicateOperand] = []
      for element in elements {
        guard let operand = PredicateOperand(of: element, asID: asID) else { return nil }
        operands.append(operand)
      }
      // A set has a new order in each run of the program.
      if style == .set { operands.sort { $0.written < $1.written } }
      self.init(elements: operands)
    } else {
      return nil
    }
  }

  /// The value to compare; nil for a field or a range.
  var constant: Value? { if case .value(let value) = self { value } else { nil } }
}

extension Value {
  /// The value with each string that is a date as that date, as it is read from a file.
  fileprivate var withDates: Value {
    switch self {
    case .string(let text): Value(text: text)
    case .list(let elements): .list(elements.map(\.withDates))
    case .map(let fields): .map(Fields(unique: fields.map { ($0.key, $0.value.withDates) }))
    case .null, .bool, .number, .date: self
    }
  }
}

extension Value: PredicateOperandConvertible {
  /// The value itself.
  var predicateOperand: PredicateOperand { PredicateOperand(self) }
}

extension FieldPath: PredicateOperandConvertible {
  /// The value of the field at this path.
  var predicateOperand: PredicateOperand { .path(self) }
}

// MARK: Strings

extension String: PredicateOperandConvertible {
  /// The string. One that is an ISO 8601 date compares as that date.
  var predicateOperand: PredicateOperand { PredicateOperand(.string(self)) }
}

extension Substring: PredicateOperandConvertible {
  /// The string. One that is an ISO 8601 date compares as that date.
  var predicateOperand: PredicateOperand { String(self).predicateOperand }
}

extension Data: PredicateOperandConvertible {
  /// The text in base64, as it is in files.
  var predicateOperand: PredicateOperand { base64EncodedString().predicateOperand }
}

extension UUID: PredicateOperandConvertible {
  /// The string in upper case. Its id is in lower case, so a comparison with it ignores case.
  var predicateOperand: PredicateOperand { uuidString.predicateOperand }
}

extension URL: PredicateOperandConvertible {
  /// The absolute URL as a string.
  var predicateOperand: PredicateOperand { absoluteString.predicateOperand }
}

extension Item.ID: PredicateOperandConvertible {
  /// The value of `@id`.
  var predicateOperand: PredicateOperand { description.predicateOperand }
}

extension RelativePath: PredicateOperandConvertible {
  /// The value of `@path`.
  var predicateOperand: PredicateOperand { description.predicateOperand }
}

// MARK: Numbers, booleans and dates

extension Bool: PredicateOperandConvertible {
  /// The boolean.
  var predicateOperand: PredicateOperand { .value(.bool(self)) }
}

extension Number: PredicateOperandConvertible {
  /// The number.
  var predicateOperand: PredicateOperand { .value(.number(self)) }
}

extension PredicateOperandConvertible where Self: BinaryInteger {
  /// The integer, with all of its digits.
  var predicateOperand: PredicateOperand { Number(json: description).predicateOperand }
}

extension Int: PredicateOperandConvertible {}
extension Int8: PredicateOperandConvertible {}
extension Int16: PredicateOperandConvertible {}
extension Int32: PredicateOperandConvertible {}
extension Int64: PredicateOperandConvertible {}
extension Int128: PredicateOperandConvertible {}
extension UInt: PredicateOperandConvertible {}
extension UInt8: PredicateOperandConvertible {}
extension UInt16: PredicateOperandConvertible {}
extension UInt32: PredicateOperandConvertible {}
extension UInt64: PredicateOperandConvertible {}
extension UInt128: PredicateOperandConvertible {}

extension Double: PredicateOperandConvertible {
  /// The number.
  var predicateOperand: PredicateOperand { Number.double(self).predicateOperand }
}

extension Float: PredicateOperandConvertible {
  /// The number that the `Float` prints: 3.1 equals 3.1 in a file.
  var predicateOperand: PredicateOperand {
    (Number(json: description) ?? .double(Double(self))).predicateOperand
  }
}

extension Decimal: PredicateOperandConvertible {
  /// The number with all of its digits; `.nan` if the decimal is not a number.
  var predicateOperand: PredicateOperand { (Number(json: description) ?? .double(.nan)).predicateOperand }
}

extension Timestamp: PredicateOperandConvertible {
  /// The date, exactly.
  var predicateOperand: PredicateOperand { .value(.date(self)) }
}

extension Date: PredicateOperandConvertible {
  /// The moment, to the microsecond: a `Date` that was decoded from a file equals the time in that file.
  ///
  /// A date that is not a number equals no date.
  var predicateOperand: PredicateOperand {
    guard !timeIntervalSinceReferenceDate.isNaN else { return Double.nan.predicateOperand }
    // A Date counts from 2001 with the resolution of a Double: 0.1 µs today.
    let limit = 1e15
    let interval = min(max(timeIntervalSinceReferenceDate, -limit), limit)
    let whole = interval.rounded(.down)
    let microseconds = Int64(((interval - whole) * 1e6).rounded())
    let seconds =
      Int64(whole) + Int64(Date.timeIntervalBetween1970AndReferenceDate) + microseconds / 1_000_000
    return Timestamp(exactly: seconds, nanoseconds: Int32(microseconds % 1_000_000) * 1_000).predicateOperand
  }
}

// MARK: Optionals and ranges

extension Optional: PredicateOperandConvertible where Wrapped: PredicateOperandConvertible {
  /// The value, or `NULL`.
  var predicateOperand: PredicateOperand { self?.predicateOperand ?? .value(.null) }
  var idOperand: PredicateOperand { self?.idOperand ?? .value(.null) }
}

extension ClosedRange: PredicateOperandConvertible where Bound: PredicateOperandConvertible {
  /// The range, for IN and BETWEEN.
  var predicateOperand: PredicateOperand {
    .range(lowerBound.predicateOperand, upperBound.predicateOperand, isClosed: true)
  }
  var idOperand: PredicateOperand { .range(lowerBound.idOperand, upperBound.idOperand, isClosed: true) }
}

extension Range: PredicateOperandConvertible where Bound: PredicateOperandConvertible {
  /// The range without its upper bound, for IN and BETWEEN.
  var predicateOperand: PredicateOperand {
    .range(lowerBound.predicateOperand, upperBound.predicateOperand, isClosed: false)
  }
  var idOperand: PredicateOperand { .range(lowerBound.idOperand, upperBound.idOperand, isClosed: false) }
}
