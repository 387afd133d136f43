import Foundation

/// A JSON value of an example, or of the program's output, read by a reader that is not ours.
enum ShownJSON: Decodable, Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case list([ShownJSON])
  case map([String: ShownJSON])

  init(parsing text: String) throws {
    self = try JSONDecoder().decode(ShownJSON.self, from: Data(text.utf8))
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let list = try? container.decode([ShownJSON].self) {
      self = .list(list)
    } else {
      self = .map(try container.decode([String: ShownJSON].self))
    }
  }

  /// Returns true if another value has the same keys, types and values, where `…` in a string of this one matches any text.
  func matches(_ other: ShownJSON) -> Bool {
    switch (self, other) {
    case (.string(let pattern), .string(let text)): ElidedText.matches(line: pattern, text)
    case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.matches($1) }
    case (.map(let a), .map(let b)): Set(a.keys) == Set(b.keys) && a.allSatisfy { key, value in b[key].map(value.matches) ?? false }
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
