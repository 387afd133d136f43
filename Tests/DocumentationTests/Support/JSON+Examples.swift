import TestSupport

/// Comparing the JSON of an example with the program's output.
extension JSON {
  /// Returns true if another value has the same keys, types and values, where `…` in a string of this one matches any text.
  func matches(_ other: JSON) -> Bool {
    switch (self, other) {
    case (.string(let pattern), .string(let text)): ElidedText.matches(line: pattern, text)
    case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.matches($1) }
    case (.map(let a), .map(let b)):
      Set(a.keys) == Set(b.keys) && a.allSatisfy { key, value in b[key].map(value.matches) ?? false }
    default: self == other
    }
  }

  /// The keys that the format itself defines: not those of an item's fields, of a view or of a revision.
  var formatKeys: Set<String> {
    switch self {
    case .list(let elements): return elements.reduce(into: []) { $0.formUnion($1.formatKeys) }
    case .map(let map):
      let content: Set = ["value", "before", "numbers", "computed", "view"]
      return map.reduce(into: Set(map.keys)) { keys, field in
        if !content.contains(field.key) { keys.formUnion(field.value.formatKeys) }
      }
    default: return []
    }
  }
}
