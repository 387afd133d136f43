public import Values

/// A type whose values can be interpolated in a predicate, and are arguments of a format.
///
/// Strings, numbers, booleans, dates, UUIDs, URLs, `Value` and `FieldPath` are such types, and optionals,
/// arrays, sets and ranges of them. For an enumeration with raw values the conformance alone is enough:
///
/// ```swift
/// enum Group: String, PredicateValueConvertible { case friends, family }
/// let predicate = try ItemPredicate("group = \(Group.friends)")
/// ```
public protocol PredicateValueConvertible {
  /// The value that a predicate compares.
  var predicateValue: PredicateValue { get }
}

extension PredicateValueConvertible where Self: RawRepresentable, RawValue: PredicateValueConvertible {
  /// The raw value.
  public var predicateValue: PredicateValue { rawValue.predicateValue }
}

/// An interpolated value of a predicate: a value, a field, or a list or range of values.
public struct PredicateValue: Sendable, Hashable, CustomStringConvertible {
  let operand: PredicateOperand

  init(_ operand: PredicateOperand) {
    self.operand = operand
  }

  /// Creates a value that is compared as it is. A string that is a date is that date.
  public init(_ value: Value) { self.init(.value(value.withDates)) }

  /// Creates the value of a field.
  public init(field path: FieldPath) { self.init(.path(path)) }

  /// The value as a predicate would write it: a string in quotes.
  public var description: String { operand.written }
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
