package import Values

/// The kind of a value, as forms and messages name it.
package enum ValueKind: String, Sendable, CaseIterable {
  case string
  case number
  case boolean
  case date
  case list
  case map

  /// The kind of a value; nil for null, which is the value of any field.
  package init?(_ value: Value) {
    switch value {
    case .null: return nil
    case .bool: self = .boolean
    case .number: self = .number
    case .date: self = .date
    case .string: self = .string
    case .list: self = .list
    case .map: self = .map
    }
  }

  /// The kind in a sentence, with its article.
  package var phrase: String { self == .boolean ? "true or false" : "a \(rawValue)" }
}

extension Value {
  /// The kind with its article, for messages: `a list`.
  package var kindName: String { ValueKind(self).map { "a \($0.rawValue)" } ?? "nothing" }
}
