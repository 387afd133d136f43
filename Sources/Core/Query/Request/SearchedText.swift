package import Values

/// The part of an item that a search text is looked up in: the id and all scalars, or the search
/// fields.
package struct SearchedText: Hashable, Sendable {
  /// The fields that are searched; empty for all fields and the id.
  let fields: [FieldPath]
  /// The values of fields that an item does not have.
  let defaults: Fields

  /// Hashes the fields: most lists have the same defaults.
  package func hash(into hasher: inout Hasher) { hasher.combine(fields) }

  /// Appends the strings of an item that are searched.
  package func append(_ item: Item, to text: inout FoldedText) {
    let source = ItemFields(item: item, defaults: defaults)
    if fields.isEmpty {
      var id = item.id.description
      id.withUTF8 { text.append(UnsafeRawBufferPointer($0)) }
      SearchedText.append(item.fields, to: &text)
      for field in defaults where !item.hasField(at: FieldPath(keys: [field.key])) {
        SearchedText.append(PackedValue(field.value), to: &text)
      }
    }
    for path in fields {
      if let value = source.value(at: path) { SearchedText.append(PackedValue(value), to: &text) }
    }
  }

  private static func append(_ value: PackedValue, to text: inout FoldedText) {
    value.forEachScalarText {
      text.append($0)
      return true
    }
  }
}
