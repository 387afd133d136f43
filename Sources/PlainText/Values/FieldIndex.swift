/// Looks up many keys of one map. Most are asked for where they stand; the first that is not costs one pass over the map, and every later one a hash.
package struct FieldIndex {
  private let fields: Fields
  private var places: [ExactString: Int]?

  package init(_ fields: Fields) {
    self.fields = fields
  }

  /// Where `key` stands; `hint` is where it may.
  package mutating func place(of key: String, near hint: Int) -> Int? {
    if fields.indices.contains(hint), fields[hint].key.hasSameBytes(as: key) { return hint }
    if places == nil {
      places = Dictionary(fields.enumerated().map { (ExactString($1.key), $0) }, uniquingKeysWith: { first, _ in first })
    }
    return places?[ExactString(key)]
  }
}
