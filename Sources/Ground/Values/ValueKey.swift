/// A value as a key of dictionaries and sets that compares numbers by their value.
///
/// `Value ==` compares what is written, so that `3.1` → `3.10` is a change. Where values are
/// compared as data (`IN`, `-=`, unions, keys of list elements), `3.1`, `3.10` and `31e-1` are one
/// key. So are lists and maps that differ only in how their numbers are written.
package struct ValueKey: Sendable, Hashable {
  private let canonical: Value

  package init(_ value: Value) {
    canonical = value.canonical
  }
}

extension Value {
  /// Returns true if both values are equal when numbers at any depth are compared by their value.
  package func hasSameValue(as other: Value) -> Bool {
    switch (self, other) {
    case (.number(let a), .number(let b)): a.hasSameValue(as: b)
    case (.list, .list), (.map, .map): ValueKey(self) == ValueKey(other)
    default: self == other
    }
  }

  /// The text of this value in ids: like `text`, but the same for all numbers of one value. It is
  /// `3.1` for `3.10` and `1` for `1.0`.
  package var idText: String {
    switch self {
    case .number, .list, .map: canonical.text
    default: text
    }
  }

  /// This value with all numbers in their canonical form.
  fileprivate var canonical: Value {
    switch self {
    case .number(let number): .number(number.canonical)
    case .list(let elements): .list(elements.map(\.canonical))
    case .map(let fields): .map(Fields(unique: fields.map { ($0.key, $0.value.canonical) }))
    default: self
    }
  }
}
