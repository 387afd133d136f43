import PlainText

/// The way to a value of an item as a predicate writes it: keys, and then places in lists and what a list comes to.
struct PredicatePath: Sendable {
  enum Step: Sendable, Hashable {
    case keys([String])
    case index(Int)
    case first
    case last
    case size
    case collect(CollectionOperator)
  }

  /// What the item itself is asked for.
  let base: FieldPath
  /// What is done with that.
  let steps: [Step]

  /// The field, without places and operators.
  var field: FieldPath {
    let keys = steps.reduce(into: base.keys) { keys, step in
      if case .keys(let more) = step { keys += more }
    }
    return FieldPath(keys: keys)
  }

  func value(of source: some FieldSource) -> Value? {
    steps.reduce(source.value(at: base)) { value, step in PredicatePath.apply(step, to: value) }
  }

  private static func apply(_ step: Step, to value: Value?) -> Value? {
    switch step {
    case .keys(let keys): value?.value(at: keys[...])
    case .index(let index): element(of: value) { $0.indices.contains(index) ? $0[index] : nil }
    case .first: element(of: value, \.first)
    case .last: element(of: value, \.last)
    case .size, .collect(.count): .number(.integer(CollectionOperator.count(value)))
    case .collect(let function): function.apply(to: value)
    }
  }

  private static func element(of value: Value?, _ pick: ([Value]) -> Value?) -> Value? {
    if case .list(let elements) = value { pick(elements) } else { nil }
  }
}

extension PredicatePath {
  /// A field path with a collection operator in it, as in `--sort releases.@count` or `releases.@max.date`; nil for any other.
  init?(collecting path: FieldPath) {
    guard path.keys.count > 1, let place = path.keys.dropFirst().firstIndex(where: { CollectionOperator(rawValue: $0) != nil }),
      let function = CollectionOperator(rawValue: path.keys[place])
    else { return nil }
    let rest = Array(path.keys[(place + 1)...])
    self.init(base: FieldPath(keys: Array(path.keys[..<place])), steps: (rest.isEmpty ? [] : [.keys(rest)]) + [.collect(function)])
  }
}

/// What a list comes to, as in key-value coding.
enum CollectionOperator: String, Sendable, CaseIterable {
  case count = "@count"
  case min = "@min"
  case max = "@max"
  case sum = "@sum"
  case average = "@avg"

  /// The elements of a list, the keys of a map; one for a scalar, none where there is nothing.
  static func count(_ value: Value?) -> Int {
    switch value {
    case nil, .null: 0
    case .list(let elements): elements.count
    case .map(let fields): fields.count
    default: 1
    }
  }

  /// Of a list and the lists in it, nulls left out. Nil where nothing is left; the sum is then zero.
  func apply(to value: Value?) -> Value? {
    let elements = CollectionOperator.leaves(of: value)
    switch self {
    case .count: return .number(.integer(CollectionOperator.count(value)))
    case .min: return elements.min { ValueOrder.compare($0, $1) < 0 }
    case .max: return elements.max { ValueOrder.compare($0, $1) < 0 }
    case .sum: return .number(NumberSum(elements).total)
    case .average: return NumberSum(elements).average.map(Value.number)
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
