import PlainText

/// The fields of an item as a list of models sees them: a missing field has the model's default.
///
/// So the predicate, the order, the sections and the search of a list agree with the objects that it
/// shows.
struct ItemFields: FieldSource {
  let item: Item
  /// The default values; empty for a list of items.
  let defaults: Fields

  func value(at path: FieldPath) -> Value? {
    guard !defaults.isEmpty, !item.hasField(at: path) else { return item.value(at: path) }
    return Value.map(defaults).value(at: path) ?? item.value(at: path)
  }
}
