/// A key of a map as a key of dictionaries. Compared by bytes.
package struct FieldKey: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (a: FieldKey, b: FieldKey) -> Bool { a.text.hasSameBytes(as: b.text) }
  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
