// The lines that values print as.

extension Value: CustomStringConvertible {
  /// The value as JSON: a string is in quotes. ``text`` is the text without them.
  public var description: String { JSONWriter.text(of: self) }
}

extension Fields: CustomStringConvertible {
  /// The fields as a JSON object.
  public var description: String { Value.map(self).description }
}

extension PackedValue: CustomStringConvertible {
  /// The value as JSON.
  public var description: String { value.description }
}

extension Timestamp: CustomStringConvertible {
  /// The date as written.
  public var description: String { text }
}

extension FieldPath.Step: CustomStringConvertible {
  /// The step as in a path: `name`, `[0]`, `@count`.
  public var description: String {
    switch self {
    case .key, .listOperator: token
    case .index, .first, .last, .size: "[\(token)]"
    }
  }
}
