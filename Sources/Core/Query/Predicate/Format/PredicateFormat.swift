public import Values

/// The text of a predicate whose interpolated values are data: a value cannot change the meaning of
/// the text around it.
///
/// You rarely name this type. A string literal is one wherever a predicate is expected:
///
/// ```swift
/// let text = "O'Hara\" OR TRUEPREDICATE"
/// let predicate = try ItemPredicate("rating >= \(3) AND name CONTAINS[c] \(text)")
/// predicate.matches(["name": "Ada", "rating": 9])  // false
/// print(predicate)
/// // rating >= 3 AND name CONTAINS[c] "O'Hara\" OR TRUEPREDICATE"
/// ```
///
/// | interpolation | meaning |
/// | --- | --- |
/// | `\(text)`, `\(3)`, `\(date)` | a value, exactly; any ``PredicateValueConvertible`` |
/// | `\(["new", "old"])` | a list, for IN and BETWEEN |
/// | `\(1...5)`, `\(start..<end)` | a range, for IN and BETWEEN |
/// | `\(path)` of a `FieldPath`, `\(key: "address.city")` | a field |
/// | `\(predicate: other)` | another predicate, as if in parentheses |
///
/// Write a value without quotes around it. A string that is an ISO 8601 date compares as that date,
/// as everywhere. `LIKE \(text)` and `MATCHES \(text)` interpret the text as a pattern; to look for
/// the text itself, use `CONTAINS`, `BEGINSWITH` or `ENDSWITH`.
///
/// A `String` variable is not a format. For the text of a complete predicate, use
/// ``ItemPredicate/init(parsing:)``.
public struct PredicateFormat: Sendable {
  /// The text, with each interpolated value written as in a predicate.
  let text: String
  let arguments: [Argument]

  struct Argument: Sendable, Hashable {
    /// The range of the written value in the text, in Unicode scalars.
    let range: Range<Int>
    let operand: PredicateOperand

    func shifted(by distance: Int) -> Argument {
      Argument(range: range.lowerBound + distance..<range.upperBound + distance, operand: operand)
    }
  }

  init(text: String, arguments: [Argument] = []) {
    self.text = text
    self.arguments = arguments
  }
}

extension PredicateFormat: ExpressibleByStringInterpolation {
  /// Creates the format of a literal without values.
  public init(stringLiteral text: String) { self.init(text: text) }

  /// Creates the format of a literal with values.
  public init(stringInterpolation parts: StringInterpolation) {
    self.init(text: String(parts.scalars), arguments: parts.arguments)
  }

  /// The parts of an interpolated literal. The compiler creates it.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    fileprivate var scalars = String.UnicodeScalarView()
    fileprivate var arguments: [Argument] = []
    private var count = 0

    /// Creates an empty literal. Called by the compiler.
    public init(literalCapacity: Int, interpolationCount: Int) {
      arguments.reserveCapacity(interpolationCount)
    }

    /// Appends a part of the predicate's text.
    public mutating func appendLiteral(_ text: String) {
      scalars.append(contentsOf: text.unicodeScalars)
      count += text.unicodeScalars.count
    }

    /// Appends a value: `\(text)`. Nil is `NULL`.
    public mutating func appendInterpolation<Convertible: PredicateValueConvertible>(_ value: Convertible?) {
      append(value.predicateValue.operand)
    }

    /// Appends a field: `\(key: "address.city")`.
    public mutating func appendInterpolation(key path: FieldPath) {
      append(.path(path))
    }

    /// Appends another predicate, as if in parentheses: `\(predicate: other)`.
    public mutating func appendInterpolation(predicate: ItemPredicate) {
      appendLiteral("(")
      arguments += predicate.format.arguments.map { $0.shifted(by: count) }
      appendLiteral(predicate.format.text)
      appendLiteral(")")
    }

    mutating func append(_ operand: PredicateOperand) {
      let start = count
      appendLiteral(operand.written)
      arguments.append(Argument(range: start..<count, operand: operand))
    }
  }
}

extension PredicateFormat: Hashable, CustomStringConvertible {
  /// Compares the texts byte for byte, and the values.
  public static func == (a: PredicateFormat, b: PredicateFormat) -> Bool {
    a.text.hasSameBytes(as: b.text) && a.arguments == b.arguments
  }

  /// Hashes the bytes of the text.
  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

  /// The text of the predicate, with its values as they would be written.
  public var description: String { text }
}
