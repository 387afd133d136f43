/// A value as an element of sets and a key of dictionaries, in which numbers count by their value.
///
/// `Value ==` compares what is written, so that `3.1` → `3.10` is a change. Where values are compared as data (`IN`, `-=`, unions, keys of list elements), `3.1`,
/// `3.10` and `31e-1` are one key, and so are lists and maps that differ only in how their numbers are written.
package struct ValueKey: Sendable, Hashable {
  private let canonical: Value

  package init(_ value: Value) {
    canonical = value.canonical
  }
}

extension Value {
  /// True if both are the same value with all numbers compared by their value, at any depth.
  package func hasSameValue(as other: Value) -> Bool {
    switch (self, other) {
    case (.number(let a), .number(let b)): a.hasSameValue(as: b)
    case (.list, .list), (.map, .map): ValueKey(self) == ValueKey(other)
    default: self == other
    }
  }

  /// The text of this value in ids: as `text`, but one text for all numbers of a value. `3.10` is `3.1` there, and `1.0` is `1`.
  package var idText: String {
    switch self {
    case .number, .list, .map: canonical.text
    default: text
    }
  }

  /// This value with all numbers replaced by their canonical form.
  fileprivate var canonical: Value {
    switch self {
    case .number(let number): .number(number.canonical)
    case .list(let elements): .list(elements.map(\.canonical))
    case .map(let fields): .map(Fields(unique: fields.map { ($0.key, $0.value.canonical) }))
    default: self
    }
  }
}
