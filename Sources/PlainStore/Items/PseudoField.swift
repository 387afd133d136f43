import DirectoryWatch
package import PlainText

/// A field that every item has besides those in its file. It can be used wherever a field can, and hides
/// a key of the same name in a file.
///
/// This is the one list of these names.
package enum PseudoField: String, CaseIterable, Sendable {
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
    case .id: return Value(text: item.id.description)
    case .path: return .string(item.path.description)
    case .dir: return Value(text: item.path.parent?.description ?? "")
    case .name: return Value(text: PseudoField.split(item.path.name).name)
    case .ext: return .string(PseudoField.split(item.path.name).ext)
    case .modified: return .date(Timestamp(item.stamp.modified))
    case .created: return .date(Timestamp(item.stamp.created))
    case .size: return .number(.integer(Int(clamping: item.stamp.size)))
    }
  }

  /// Splits a file's name into the name and its extension without the dot.
  package static func split(_ name: Substring) -> (name: String, ext: String) {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return (String(name), "") }
    return (String(name[..<dot]), String(name[name.utf8.index(after: dot)...]))
  }
}

extension Timestamp {
  fileprivate init(_ moment: FileStamp.Moment) {
    self.init(seconds: moment.seconds, nanoseconds: Int32(moment.nanoseconds))
  }
}
