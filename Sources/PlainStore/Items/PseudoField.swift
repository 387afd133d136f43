import DirectoryWatch
import LinuxFiles
package import PlainText

/// What every item has besides its own fields, usable wherever a field is. A key of this name in a file is hidden by it.
package enum PseudoField: String, CaseIterable, Sendable {
  case id = "@id"
  case path = "@path"
  /// The folder, `""` at the root.
  case dir = "@dir"
  /// The file's name without its extension.
  case name = "@name"
  /// The extension without the dot.
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

  /// A file's name and its extension without the dot.
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
