// Values can be written as literals:
//
//     let item: Value = ["name": "Ada", "rating": 9, "tags": ["new"], "done": false]
//
// `nil` is not a literal of `Value`: in `fields["note"] = nil` it removes the field. Null is `.null`.

extension Value: ExpressibleByStringLiteral {
  /// Creates a date if the complete text is one, otherwise a string, like `init(text:)`.
  public init(stringLiteral text: String) { self.init(text: text) }
}

extension Value: ExpressibleByIntegerLiteral {
  /// Creates an integer. One beyond the range of `Int` does not compile; use `Number(json:)`.
  public init(integerLiteral number: Int) { self = .integer(number) }

  package static func integer(_ number: Int) -> Value { .number(.integer(number)) }
}

extension Value: ExpressibleByFloatLiteral {
  /// Creates a number that prints as its `Double` does; use `Number(json: "3.10")` to keep the digits.
  public init(floatLiteral number: Double) { self = .number(.double(number)) }
}

extension Value: ExpressibleByBooleanLiteral {
  /// Creates a boolean.
  public init(booleanLiteral flag: Bool) { self = .bool(flag) }
}

extension Value: ExpressibleByArrayLiteral {
  /// Creates a list.
  public init(arrayLiteral elements: Self...) { self = .list(elements) }
}

extension Value: ExpressibleByDictionaryLiteral {
  /// The values of a dictionary literal are values themselves.
  public typealias Value = Values.Value

  /// Creates a map in the order of the literal. Of two equal keys the last value counts.
  public init(dictionaryLiteral elements: (String, Self)...) {
    self = .map(elements.reduce(into: Fields()) { $0[$1.0] = $1.1 })
  }
}
