#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An operator that computes one value from a list, as in key-value coding.
public enum ListOperator: String, Sendable, CaseIterable {
  /// The number of elements.
  case count = "@count"
  /// The smallest element in sort order.
  case min = "@min"
  /// The greatest element in sort order.
  case max = "@max"
  /// The sum of the numbers.
  case sum = "@sum"
  /// The average of the numbers.
  case average = "@avg"

  /// Returns the number of elements or keys; 1 for a scalar, 0 for null and for nothing.
  package static func count(_ value: Value?) -> Int {
    switch value {
    case nil, .null: 0
    case .list(let elements): elements.count
    case .map(let fields): fields.count
    default: 1
    }
  }

  /// Computes the result for a list, including the elements of lists in it, without nulls. With no elements
  /// the sum is 0, and `@min`, `@max` and `@avg` have no result.
  package func apply(to value: Value?) -> Value? {
    switch self {
    case .count: .number(.integer(ListOperator.count(value)))
    case .min: ListOperator.leaves(of: value).min { ValueOrder.compare($0, $1) < 0 }
    case .max: ListOperator.leaves(of: value).max { ValueOrder.compare($0, $1) < 0 }
    case .sum: .number(NumberSum(ListOperator.leaves(of: value)).total)
    case .average: NumberSum(ListOperator.leaves(of: value)).average.map(Value.number)
    }
  }

  private static func leaves(of value: Value?) -> [Value] {
    switch value {
    case nil, .null: []
    case .list(let elements): elements.flatMap(leaves)
    case let value?: [value]
    }
  }
}

/// The decimal sum of the numbers among some values: `0.1` and `0.2` are `0.3`.
private struct NumberSum {
  private var whole = 0
  private var decimal: Decimal? = 0
  private var double = 0.0
  private var isWhole = true
  private var count = 0

  init(_ values: [Value]) {
    for case .number(let number) in values { add(number) }
  }

  private mutating func add(_ number: Number) {
    count += 1
    double += number.doubleValue
    decimal = decimal.flatMap { sum in NumberSum.decimal(number).map { sum + $0 } }
    if isWhole, number.isWrittenAsInteger, case .integer(let value) = number.canonical {
      let (sum, overflow) = whole.addingReportingOverflow(value)
      whole = sum
      isWhole = !overflow
    } else {
      isWhole = false
    }
  }

  /// The sum: an integer if all numbers are integers and the sum fits.
  var total: Number {
    if isWhole { return .integer(whole) }
    return .double(decimal.flatMap(NumberSum.double) ?? double)
  }

  var average: Number? {
    guard count > 0 else { return nil }
    return .double(decimal.flatMap { NumberSum.double($0 / Decimal(count)) } ?? double / Double(count))
  }

  private static func decimal(_ number: Number) -> Decimal? {
    let text = number.canonical.description
    // `Decimal` has 38 digits and exponents up to 127.
    guard number.doubleValue.isFinite, abs(number.doubleValue) < 1e37, text.utf8.count < 38 else {
      return nil
    }
    return Decimal(string: text)
  }

  private static func double(_ decimal: Decimal) -> Double? {
    decimal.isNaN ? nil : Double(decimal.description)
  }
}
