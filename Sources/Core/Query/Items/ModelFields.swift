package import Values

/// How a list reads the fields of its items: as those of a model, or as the files have them.
package struct ModelFields: Hashable, Sendable {
  /// The values of fields that an item does not have; empty unless the type is a `PlainModel`.
  package let defaults: Fields

  /// Without arguments, the fields are those of the files, which costs nothing.
  package init(defaults: Fields = [:]) {
    self.defaults = defaults
  }

  /// True if the fields are those of the files.
  var isPlain: Bool { defaults.isEmpty }

  package func defaultValue(at path: FieldPath) -> Value? { Value.map(defaults).value(at: path) }
}
