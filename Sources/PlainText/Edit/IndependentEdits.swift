/// Finds edits that do not affect one another, so that they can be planned together on one reading
/// of the text.
struct IndependentEdits {
  /// The paths of the edits, and all paths above them.
  private var paths: Set<FieldPath> = []
  private var above: Set<FieldPath> = []

  /// Returns how many of these edits, from the first one on, are independent.
  static func prefix(of edits: ArraySlice<TextEdit>, in value: Value) -> Int {
    var found = IndependentEdits()
    return edits.prefix { found.add($0, in: value) }.count
  }

  /// Adds an edit. Returns false, and adds nothing, if it depends on an edit that was added before.
  private mutating func add(_ edit: TextEdit, in value: Value) -> Bool {
    let keys = edit.path.keys
    // `tags[0]` and `tags.0` are the same place in a text.
    let path = FieldPath(keys: keys)
    let holders = keys.indices.dropFirst().map { FieldPath(keys: Array(keys[..<$0])) }
    guard !IndependentEdits.changesNumbers(edit, in: value), !above.contains(path), !holders.contains(where: paths.contains),
      paths.insert(path).inserted
    else { return false }
    above.formUnion(holders)
    return true
  }

  /// Returns true if the edit changes the numbers of elements or the names of keys.
  private static func changesNumbers(_ edit: TextEdit, in value: Value) -> Bool {
    switch edit {
    case .set: return false
    case .rename, .append, .removeValue: return true
    case .insert(let path, _), .remove(let path):
      let holder = path.keys.dropLast().reduce(Optional(value)) { $0?.child(ofKey: $1) }
      if case .list = holder { return true }
      return false
    }
  }
}
