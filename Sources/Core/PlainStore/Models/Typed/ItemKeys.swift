import Query
import Values

/// The coding keys at the root of a `PlainModel` that are not fields of the file.
///
/// The key `id` is the id of the item, unless the type has a coding key for `@id`. Then that one is
/// the item's id, and `id` is a field like any other.
struct ItemKeys<Key: CodingKey> {
  private let idKey: String

  /// Finds the key of the item's id.
  init() {
    idKey = Key(stringValue: PseudoField.id.rawValue) == nil ? "id" : PseudoField.id.rawValue
  }

  /// Returns true if the key is the id of the item.
  func isItemID(_ key: Key) -> Bool { key.stringValue.hasSameBytes(as: idKey) }

  /// Returns true if the key is not a field of the file: the item's id or another pseudo-field.
  func isVirtual(_ key: Key) -> Bool { isItemID(key) || PseudoField(rawValue: key.stringValue) != nil }
}

extension Fields {
  /// Returns these fields with those of `defaults` that are missing, map by map.
  func filled(with defaults: Fields) -> Fields {
    defaults.reduce(into: self) { fields, pair in
      guard let own = fields[pair.key] else {
        fields.append(pair.value, unique: pair.key)
        return
      }
      if case (.map(let own), .map(let other)) = (own, pair.value) {
        fields[pair.key] = .map(own.filled(with: other))
      }
    }
  }
}
