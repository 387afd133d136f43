package import Values

/// The fields of an item for a list of models: a missing field has the default of the model.
///
/// So the predicate, the order, the sections and the search of a list agree with its objects.
package struct ItemFields: FieldSource {
  package let item: Item
  /// The default values; empty for a list of items.
  let defaults: Fields

  package init(item: Item, defaults: Fields) {
    self.item = item
    self.defaults = defaults
  }

  package func value(at path: FieldPath) -> Value? {
    guard !defaults.isEmpty, !item.hasField(at: path) else { return item.value(at: path) }
    return Value.map(defaults).value(at: path) ?? item.value(at: path)
  }
}
