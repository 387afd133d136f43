package import Files
package import Values

/// A field that every item has besides those in its file, usable wherever a field is. It hides a key of the
/// same name in a file. This is the one list of these names.
package enum PseudoField: String, CaseIterable {
  case id = "@id"
  case path = "@path"
  /// The folder of the file; `""` at the root.
  case dir = "@dir"
  /// The name of the file without its extension.
  case name = "@name"
  /// The extension of the file without the dot.
  case ext = "@ext"
  case modified = "@modified"
  case created = "@created"
  case size = "@size"

  package init?(_ path: FieldPath) {
    let keys = path.keys
    guard keys.count == 1, keys[0].utf8.first == UInt8(ascii: "@") else { return nil }
    self.init(rawValue: keys[0])
  }

  package func value(of item: Item) -> Value {
    switch self {
    case .id, .path, .dir, .name, .ext: value(of: item.id, at: item.path) ?? .null
    case .modified: .date(Timestamp(item.stamp.modified))
    case .created: .date(Timestamp(item.stamp.created))
    case .size: .number(.integer(Int(clamping: item.stamp.size)))
    }
  }

  /// Returns the value of a field that the id and the path determine; nil for the others.
  package func value(of id: Item.ID, at path: RelativePath) -> Value? {
    switch self {
    case .id: Value(text: id.description)
    case .path: .string(path.description)
    case .dir: Value(text: path.parent?.description ?? "")
    case .name: Value(text: PseudoField.split(path.name).name)
    case .ext: .string(PseudoField.split(path.name).ext)
    case .modified, .created, .size: nil
    }
  }

  /// True if the field does not depend on the file itself.
  package var isKnownWithoutFile: Bool {
    switch self {
    case .id, .path, .dir, .name, .ext: true
    case .modified, .created, .size: false
    }
  }

  /// Splits a file's name into the name and its extension without the dot.
  package static func split(_ name: Substring) -> (name: String, ext: String) {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return (String(name), "") }
    return (String(name[..<dot]), String(name[name.utf8.index(after: dot)...]))
  }
}

extension Timestamp {
  fileprivate init(_ moment: FileTime) {
    self.init(seconds: moment.seconds, nanoseconds: Int32(moment.nanoseconds))
  }
}
