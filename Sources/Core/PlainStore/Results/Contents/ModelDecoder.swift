import Files
package import Query
package import Values

/// Decodes the items of a list to models, or says at a place of the file why an item cannot be decoded.
package struct ModelDecoder: Sendable {
  let decode: @Sendable (Item) -> Result<Model, Problem>
  /// The values of fields that an item does not have; empty unless the type is a `PlainModel`.
  let defaults: Fields
  /// True for a `PlainModel` whose own id is a string. Swift calls strings equal that are composed in
  /// different ways, so two items can have one id then.
  let hasStringIDs: Bool

  package init(
    defaults: Fields = [:], hasStringIDs: Bool = false,
    _ decode: @escaping @Sendable (Item) -> Result<Model, Problem>
  ) {
    self.decode = decode
    self.defaults = defaults
    self.hasStringIDs = hasStringIDs
  }
}
