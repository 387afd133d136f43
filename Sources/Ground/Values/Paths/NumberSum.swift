#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The sum of the numbers among some values, computed in decimal so that `0.1` and `0.2` add up to
/// `0.3`.
struct NumberSum {
  private var whole = 0
  /// The decimal sum; nil after a number that `Decimal` cannot represent.
  private var decimal: Decimal? = 0
  private var double = 0.0
  private var isWhole = true
  private(set) var count = 0

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

  /// The average; nil if there are no numbers.
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
