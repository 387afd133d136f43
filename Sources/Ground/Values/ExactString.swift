/// A string that equals only a string of the same bytes.
///
/// A `String` of Swift equals each canonically equivalent one: composed and decomposed accents
/// count as the same. Two keys of a map, or the names of two files, may differ in nothing else.
package struct ExactString: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (a: ExactString, b: ExactString) -> Bool { a.text.hasSameBytes(as: b.text) }
  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
