/// A key of a map, for tables: equal where the bytes are.
package struct FieldKey: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (a: FieldKey, b: FieldKey) -> Bool { a.text.hasSameBytes(as: b.text) }
  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
