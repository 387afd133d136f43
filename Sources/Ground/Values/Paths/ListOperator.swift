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

  /// Returns the number of elements of a list or of keys of a map; 1 for a scalar, and 0 for null
  /// and for a missing value.
  package static func count(_ value: Value?) -> Int {
    switch value {
    case nil, .null: 0
    case .list(let elements): elements.count
    case .map(let fields): fields.count
    default: 1
    }
  }

  /// Computes the result for a list, including the elements of lists in it, without nulls.
  ///
  /// With no elements the sum is 0, and `@min`, `@max` and `@avg` have no result.
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
