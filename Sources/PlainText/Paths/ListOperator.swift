/// An operator that turns a list into one value, as in key-value coding.
public enum ListOperator: String, Sendable, CaseIterable {
  case count = "@count"
  case min = "@min"
  case max = "@max"
  case sum = "@sum"
  case average = "@avg"

  /// The number of elements of a list or of keys of a map; 1 for a scalar, and 0 for null and a missing value.
  package static func count(_ value: Value?) -> Int {
    switch value {
    case nil, .null: 0
    case .list(let elements): elements.count
    case .map(let fields): fields.count
    default: 1
    }
  }

  /// The result for a list and the lists in it, without nulls. With no elements the sum is 0, and `@min`, `@max` and `@avg` have no result.
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
