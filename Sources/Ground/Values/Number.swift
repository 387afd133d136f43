/// A number of an item, with the text it was written as.
///
/// A JSON number (`3.10`, `1e3`, `-0`) keeps its text and prints as written. Any other YAML number
/// (`.5`, `0x1F`, `+1`, `007`) prints as the JSON number of the same value.
///
/// There are two equalities:
/// - `==` compares the texts: `3.1` and `3.10` differ, so changing one into the other is a change.
/// - `hasSameValue(as:)` compares the values: `3.1`, `3.10` and `31e-1` are the same number. Sort
///   order, predicates, ids and sets use it.
///
/// ```swift
/// let version = Number(json: "3.10")  // .literal("3.10")
/// let rating = Number(json: "9")  // .integer(9)
/// ```
public enum Number: Sendable, Hashable {
  /// An integer that prints as its digits.
  case integer(Int)
  /// A number that prints as Swift prints a `Double`: `3.1`, `5.0`, `1e+16`. Also `.inf`, `-.inf`
  /// and `.nan`, which JSON does not have.
  case double(Double)
  /// A JSON number that prints as written, because no other case prints the same text. Use
  /// `init(json:)` to create one.
  case literal(String)

  /// Creates a number that prints as `text`, of any length; nil if that is not a JSON number (RFC 8259).
  public init?(json text: String) {
    var text = text
    let scalar = text.withUTF8 { bytes -> YAMLScalar? in
      guard let decimal = DecimalText(UnsafeRawBufferPointer(bytes)), decimal.isJSON else { return nil }
      return YAMLScalar(decimal)
    }
    switch scalar {
    case .integer(let value)?: self = .integer(value)
    case .double(let value)?: self = .double(value)
    case .written?, .literal?: self = .literal(text)
    default: return nil
    }
  }

  /// The nearest `Double`; infinite if the number is beyond its range.
  public var doubleValue: Double {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    case .literal(let text): Double(text) ?? (text.hasPrefix("-") ? -.infinity : .infinity)
    }
  }

  package var isFinite: Bool {
    if case .double(let value) = self { value.isFinite } else { true }
  }

  /// Compares the texts. `.nan` equals itself.
  public static func == (a: Number, b: Number) -> Bool {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN)
    case (.literal, _), (_, .literal): a.description.hasSameBytes(as: b.description)
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch normalized {
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.isNaN ? Double.nan.bitPattern : value.bitPattern)
    case .literal(let text): text.hashBytes(into: &hasher)
    }
  }

  /// The number in the case that prints its text: a literal only if no `Int` and no `Double` prints it.
  var normalized: Number {
    guard case .literal(let text) = self else { return self }
    return Number(json: text) ?? self
  }

  /// Returns true if both numbers have the same value, however they are written. `.nan` has the
  /// same value as itself, and `-0` as `0`.
  public func hasSameValue(as other: Number) -> Bool { ValueOrder.compare(self, other) == 0 }

  /// The representative of all numbers with this value: `1` for `1.0` and `1e0`, `3.1` for `3.10`. Ids and
  /// section ids are made of its text.
  package var canonical: Number {
    switch self {
    case .integer: return self
    case .double(let value):
      if !value.isFinite { return self }
      // Smaller integral doubles are exact and print all of their digits.
      guard value.magnitude < 0x1p53 else { return ExactNumber(self).canonical }
      return Int(exactly: value).map(Number.integer) ?? self
    case .literal: return ExactNumber(self).canonical
    }
  }

  package var isWrittenAsInteger: Bool {
    switch self {
    case .integer: true
    case .double: false
    case .literal(let text): text.utf8.allSatisfy { $0 == "-" || $0 &- 0x30 < 10 }
    }
  }

  /// The digits of an integer, with a `-` if it is negative. Nil if the number is not an integer or
  /// has more than `maxDigits` digits.
  package func integerDigits(maxDigits: Int) -> String? {
    ExactNumber(self).integerDigits(maxDigits: maxDigits)
  }
}

extension Number: CustomStringConvertible {
  /// The number as written in JSON; `.inf`, `-.inf` or `.nan` for the others.
  public var description: String {
    switch self {
    case .integer(let value): value.description
    case .double(let value) where value.isNaN: ".nan"
    case .double(let value) where value.isInfinite: value < 0 ? "-.inf" : ".inf"
    case .double(let value): value.description
    case .literal(let text): text
    }
  }
}
