package import Values

/// How a list reads the fields of its items: as those of a model, or as the files have them.
package struct ModelFields: Hashable, Sendable {
  /// The values of fields that an item does not have; empty unless the type is a `PlainModel`.
  package let defaults: Fields
  /// The fields that are links and that the list reads through, with the fields of their targets. They end
  /// where the list's paths end, also if models link to each other.
  package let links: [String: ModelFields]
  private let migration: ItemMigration?

  /// Without arguments, the fields are those of the files, which costs nothing.
  package init(
    defaults: Fields = [:], links: [String: ModelFields] = [:], migration: ItemMigration? = nil
  ) {
    self.defaults = defaults
    self.links = links
    self.migration = migration
  }

  /// True if the fields are those of the files.
  var isPlain: Bool { defaults.isEmpty && links.isEmpty && migration == nil }

  /// Returns an item with the fields that the model has now, without its defaults.
  package func current(_ item: Item) -> Item { migration?.current(item) ?? item }

  func defaultValue(at path: FieldPath) -> Value? { Value.map(defaults).value(at: path) }

  /// Returns true if files alone decide the value at a path.
  package func readsOnlyFile(at path: FieldPath) -> Bool {
    path.leadingKeys.first.flatMap { links[$0] } == nil && defaultValue(at: path) == nil
  }

  /// Returns the fields of the targets if the values at these keys are links that the list reads through.
  func target(at keys: some Sequence<String>) -> ModelFields? {
    var target: ModelFields? = self
    for key in keys { target = target?.links[key] }
    return target
  }
}

/// Gives items of older files the fields that a model has now. Each model has one migration.
package struct ItemMigration: Hashable, Sendable {
  private let type: ObjectIdentifier
  package let current: @Sendable (Item) -> Item

  package init(of type: Any.Type, current: @escaping @Sendable (Item) -> Item) {
    self.type = ObjectIdentifier(type)
    self.current = current
  }

  package static func == (a: ItemMigration, b: ItemMigration) -> Bool { a.type == b.type }
  package func hash(into hasher: inout Hasher) { hasher.combine(type) }
}
