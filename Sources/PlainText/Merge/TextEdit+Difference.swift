extension TextEdit {
  /// The edits that make the one item the other, in the order in which they are to be made.
  ///
  /// What only moved within a map is left where it is. Linear, but for the alignment of lists.
  public static func edits(from old: Fields, to new: Fields) -> [TextEdit] { edits(of: old, new, at: []) }

  /// More edits than that within one list, and it is set as a whole: each costs a reading of the text.
  private static let mostEdits = 64
  private static let deepest = 64

  private static func edits(_ old: Value, _ new: Value, at keys: [String]) -> [TextEdit] {
    if old == new { return [] }
    let whole = [TextEdit.set(FieldPath(keys: keys), new)]
    guard keys.count < deepest, !new.isEmptyCollection else { return whole }
    switch (old, new) {
    case (.map(let old), .map(let new)) where !old.isEmpty: return edits(of: old, new, at: keys)
    case (.list(let old), .list(let new)) where !old.isEmpty:
      let edits = edits(of: old, new, at: keys)
      return edits.count > mostEdits ? whole : edits
    default: return whole
    }
  }

  private static func edits(of old: Fields, _ new: Fields, at keys: [String]) -> [TextEdit] {
    var oldKeys = FieldIndex(old)
    var newKeys = FieldIndex(new)
    var edits: [TextEdit] = []
    for (place, field) in new.enumerated() {
      let path = keys + [field.key]
      if let index = oldKeys.place(of: field.key, near: place) {
        edits += self.edits(old[index].value, field.value, at: path)
      } else {
        edits.append(.insert(FieldPath(keys: path), field.value))
      }
    }
    // Last, so that a map is not empty in between.
    for (place, field) in old.enumerated() where newKeys.place(of: field.key, near: place) == nil {
      edits.append(.remove(FieldPath(keys: keys + [field.key])))
    }
    return edits
  }

  /// From the end to the front, so that numbers stay as they are.
  private static func edits(of old: [Value], _ new: [Value], at keys: [String]) -> [TextEdit] {
    let path = { (index: Int) in FieldPath(keys: keys + [String(index)]) }
    var edits: [TextEdit] = []
    var end = (old: old.count, new: new.count)
    let pairs = SequenceAlignment(old, new).pairs.map { (old: $0.first, new: $0.second) }
    for pair in pairs.reversed() + [(old: -1, new: -1)] {
      let start = (old: pair.old + 1, new: pair.new + 1)
      let common = min(end.old - start.old, end.new - start.new)
      for index in (start.new + common..<end.new).reversed() { edits.append(.insert(path(start.old + common), new[index])) }
      for index in (start.old + common..<end.old).reversed() { edits.append(.remove(path(index))) }
      for offset in (0..<common).reversed() {
        edits += self.edits(old[start.old + offset], new[start.new + offset], at: keys + [String(start.old + offset)])
      }
      end = pair
    }
    return edits
  }
}
