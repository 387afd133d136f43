/// Edits of which none changes what another one goes by, so that all of them can be planned on one reading of the text.
struct IndependentEdits {
  /// The paths of the edits, and all above them.
  private var paths: Set<FieldPath> = []
  private var above: Set<FieldPath> = []

  /// How many of these edits, from the first on, are independent.
  static func prefix(of edits: ArraySlice<TextEdit>, in value: Value) -> Int {
    var taken = IndependentEdits()
    return edits.prefix { taken.take($0, in: value) }.count
  }

  /// Whether it is independent of all that were taken before; then it is taken.
  private mutating func take(_ edit: TextEdit, in value: Value) -> Bool {
    let keys = edit.path.keys
    // `tags[0]` and `tags.0` are the same place of a text.
    let path = FieldPath(keys: keys)
    let holders = keys.indices.dropFirst().map { FieldPath(keys: Array(keys[..<$0])) }
    guard !IndependentEdits.changesNumbers(edit, in: value), !above.contains(path), !holders.contains(where: paths.contains),
      paths.insert(path).inserted
    else { return false }
    above.formUnion(holders)
    return true
  }

  /// Whether elements of a list have other numbers after it, or keys other names.
  private static func changesNumbers(_ edit: TextEdit, in value: Value) -> Bool {
    switch edit {
    case .set: return false
    case .rename, .append: return true
    case .insert(let path, _), .remove(let path):
      let holder = path.keys.dropLast().reduce(Optional(value)) { $0?.child(ofKey: $1) }
      if case .list = holder { return true }
      return false
    }
  }
}
