import Values

extension ItemPredicate {
  /// Creates a predicate from a format with arguments, as `NSPredicate` does.
  ///
  /// ```swift
  /// let text = "Ada"
  /// let predicate = try ItemPredicate(format: "rating > %@ AND %K CONTAINS[c] %@", 3, "name", text)
  /// ```
  ///
  /// | placeholder | argument |
  /// | --- | --- |
  /// | `%@` | any value |
  /// | `%K` | a field: a `FieldPath`, or a string that is parsed as one |
  /// | `%d`, `%i`, `%u`, also with `l`, `ll` or `z` as in `%ld` | an integer |
  /// | `%f`, `%g`, `%e`, also with `l` | a number |
  /// | `%%` | no argument; the character `%`, which only strings and keys need |
  ///
  /// In quotes there are no placeholders. Linear in the length of the format.
  ///
  /// - Parameters:
  ///   - format: The text of the predicate. It is a literal, so that no value can be part of it.
  ///   - arguments: One value for each placeholder, in their order.
  /// - Throws: An ``ItemPredicateError`` with the column in the format of a placeholder that has no
  ///   argument or the wrong one, or with the column of the first error in the resulting text.
  public init(format: StaticString, _ arguments: (any PredicateValueConvertible)?...)
    throws(ItemPredicateError)
  {
    var reader = ArgumentReader(format.description, arguments)
    try self.init(reader.read())
  }
}

struct ArgumentReader {
  private let text: String
  private let scalars: [Unicode.Scalar]
  private let arguments: [(any PredicateValueConvertible)?]
  private var position = 0
  private var used = 0
  private var quote: Unicode.Scalar?
  private var literal = String.UnicodeScalarView()
  private var parts = PredicateFormat.StringInterpolation(literalCapacity: 0, interpolationCount: 0)

  init(_ text: String, _ arguments: [(any PredicateValueConvertible)?]) {
    self.text = text
    scalars = Array(text.unicodeScalars)
    self.arguments = arguments
  }

  mutating func read() throws(ItemPredicateError) -> PredicateFormat {
    while position < scalars.count {
      let scalar = scalars[position]
      if scalar == "%" {
        try readPercent()
        continue
      }
      literal.append(scalar)
      position += 1
      if let quote {
        if scalar == quote { self.quote = nil }
        if scalar == "\\", quote != "`", position < scalars.count, scalars[position] != "%" {
          literal.append(scalars[position])
          position += 1
        }
      } else if scalar == "\"" || scalar == "'" || scalar == "`" {
        quote = scalar
      }
    }
    if used < arguments.count {
      throw error(
        at: scalars.count,
        "there are \(arguments.count) arguments, but the format has placeholders for \(used)")
    }
    flush()
    return PredicateFormat(stringInterpolation: parts)
  }

  private mutating func flush() {
    parts.appendLiteral(String(literal))
    literal = String.UnicodeScalarView()
  }

  /// Reads `%%`, a placeholder, or, in quotes, a `%` that is text.
  private mutating func readPercent() throws(ItemPredicateError) {
    let start = position
    position += 1
    if position < scalars.count, scalars[position] == "%" {
      literal.append("%")
      position += 1
      return
    }
    guard let kind = readKind() else {
      if quote == nil { throw error(at: start, "expected a placeholder: %@, %K, %d, %f or %%") }
      literal.append("%")
      position = start + 1
      return
    }
    let written = String(String.UnicodeScalarView(scalars[start..<position]))
    if quote != nil {
      throw error(
        at: start,
        "there are no placeholders in quotes; remove the quotes, or write %\(written) for the text `\(written)`"
      )
    }
    guard used < arguments.count else {
      throw error(at: start, "expected an argument for `\(written)`, but there are only \(arguments.count)")
    }
    let argument = arguments[used]
    used += 1
    flush()
    parts.append(try operand(kind, argument, written, start))
  }

  private enum Kind { case value, key, integer, number }

  /// Reads the letters of a placeholder. Returns nil, and reads nothing, if there is none.
  private mutating func readKind() -> Kind? {
    let start = position
    while position < scalars.count, "lzhqjt".unicodeScalars.contains(scalars[position]) { position += 1 }
    let isSized = position > start
    let letter = position < scalars.count ? scalars[position] : " "
    position += 1
    switch letter {
    case "@" where !isSized: return .value
    case "K" where !isSized: return .key
    case "d", "D", "i", "u", "U": return .integer
    case "f", "F", "g", "G", "e", "E": return .number
    default:
      position = start
      return nil
    }
  }

  private func operand(
    _ kind: Kind, _ argument: (any PredicateValueConvertible)?, _ written: String, _ start: Int
  ) throws(ItemPredicateError) -> PredicateOperand {
    let operand = argument?.predicateValue.operand ?? .value(.null)
    switch (kind, operand) {
    case (.value, _), (.key, .path): return operand
    case (.key, _):
      guard let name = argument as? String else {
        throw error(at: start, "expected a field for `\(written)`, found \(operand.written)")
      }
      do throws(TextError) { return .path(try FieldPath(parsing: name)) } catch {
        throw self.error(
          at: start, "expected a field for `\(written)`, found \(operand.written): \(error.message)")
      }
    case (.integer, .value(.number(let number))) where number.isWrittenAsInteger: return operand
    case (.number, .value(.number)): return operand
    case (.integer, _):
      throw error(at: start, "expected an integer for `\(written)`, found \(operand.written)")
    case (.number, _): throw error(at: start, "expected a number for `\(written)`, found \(operand.written)")
    }
  }

  private func error(at offset: Int, _ message: String) -> ItemPredicateError {
    ItemPredicateError(at: offset, message).of(text)
  }
}
