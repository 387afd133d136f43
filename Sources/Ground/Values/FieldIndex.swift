/// Finds the positions of many keys in one map.
///
/// A key that is at the expected position costs one comparison. The first key that is not builds a
/// hash table of the map; then each key costs one lookup.
package struct FieldIndex {
  private let fields: Fields
  private var places: [ExactString: Int]?

  package init(_ fields: Fields) {
    self.fields = fields
  }

  /// Returns the position of `key`; nil if the map does not have it.
  ///
  /// - Parameter hint: the position to try first.
  package mutating func place(of key: String, near hint: Int) -> Int? {
    if fields.indices.contains(hint), fields[hint].key.hasSameBytes(as: key) { return hint }
    if places == nil {
      places = Dictionary(
        fields.enumerated().map { (ExactString($1.key), $0) }, uniquingKeysWith: { first, _ in first })
    }
    return places?[ExactString(key)]
  }
}
