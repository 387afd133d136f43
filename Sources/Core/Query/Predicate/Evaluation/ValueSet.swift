import Values

/// The values of a list on the right of IN, as a hash table.
///
/// Two values are equal as they are for `=`: if their exact sort keys have the same bytes.
struct ValueSet: Sendable {
  private let folding: Folding
  private let keys: Set<SortKey>

  init(_ values: [Value?], _ folding: Folding) {
    self.folding = folding
    keys = Set(values.map { ValueSet.key($0, folding) })
  }

  func contains(_ value: Value?) -> Bool { keys.contains(ValueSet.key(value, folding)) }

  private static func key(_ value: Value?, _ folding: Folding) -> SortKey {
    var builder = SortKeyBuilder()
    builder.append(value.map { folded($0, folding) }, exact: true)
    return builder.finish()
  }

  private static func folded(_ value: Value, _ folding: Folding) -> Value {
    switch value {
    case .string(let text) where !folding.isEmpty:
      .string(String(decoding: folding.folded(text), as: UTF8.self))
    case .list(let elements) where !folding.isEmpty: .list(elements.map { folded($0, folding) })
    default: value
    }
  }
}
