#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import Values

/// The text of a predicate, with each interpolated value written as in a predicate.
struct PredicateFormat: Sendable {
  let text: String
  let arguments: [Argument]

  struct Argument: Sendable, Hashable {
    /// The range of the written value in the text, in Unicode scalars.
    let range: Range<Int>
    let value: PredicateOperand
    /// The value beside `@id`.
    let id: PredicateOperand

    func shifted(by distance: Int) -> Argument {
      Argument(range: range.lowerBound + distance..<range.upperBound + distance, value: value, id: id)
    }
  }

  init(text: String, arguments: [Argument] = []) {
    self.text = text
    self.arguments = arguments
  }
}

/// A literal of the program is a predicate, and its interpolated values are data: a value cannot change
/// the meaning of the text around it.
///
/// A malformed literal is a predicate that matches nothing. What it is given to throws its error; if it is
/// set in a live list, the error is a warning of the list (``ListSnapshot/warnings``).
extension ItemPredicate: ExpressibleByStringInterpolation {
  /// Creates the predicate of a literal without values.
  public init(stringLiteral text: String) { self.init(literal: PredicateFormat(text: text)) }

  /// Creates the predicate of a literal with values.
  public init(stringInterpolation parts: StringInterpolation) {
    self.init(
      literal: PredicateFormat(text: String(parts.scalars), arguments: parts.arguments), parts.error)
  }

  /// The parts of an interpolated literal. The compiler creates it.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    fileprivate var scalars = String.UnicodeScalarView()
    fileprivate var arguments: [PredicateFormat.Argument] = []
    private var count = 0
    fileprivate var error: ItemPredicateError?

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
    public mutating func appendInterpolation(_ value: (some Encodable)?) {
      guard let value else { return append(.value(.null)) }
      if let operand = PredicateOperand(of: value) {
        return append(operand, id: PredicateOperand(of: value, asID: true))
      }
      let message =
        "a value of the type \(type(of: value)) cannot be compared; write a string, a number, a boolean, a date, a UUID, a URL, an enumeration with such raw values, or a list or range of them"
      error = error ?? ItemPredicateError(at: count, message)
    }

    /// Appends a value of a file.
    public mutating func appendInterpolation(_ value: Value) { append(PredicateOperand(value)) }

    /// Appends a field.
    public mutating func appendInterpolation(_ path: FieldPath) { append(.path(path)) }

    /// Appends another predicate, as if in parentheses: `\(other)`.
    public mutating func appendInterpolation(_ predicate: ItemPredicate) {
      error = error ?? predicate.error
      appendLiteral("(")
      arguments += predicate.format.arguments.map { $0.shifted(by: count) }
      appendLiteral(predicate.format.text)
      appendLiteral(")")
    }

    mutating func append(_ value: PredicateOperand, id: PredicateOperand? = nil) {
      let start = count
      appendLiteral(value.written)
      arguments.append(PredicateFormat.Argument(range: start..<count, value: value, id: id ?? value))
    }
  }
}
