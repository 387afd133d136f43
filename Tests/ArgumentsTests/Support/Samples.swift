import CLinux
public import DirectoryWatch
public import PlainText

@testable import PlainStore

extension RelativePath: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self.init(bytes: text.utf8) }
}

extension FieldPath: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self = FieldPath(text) ?? FieldPath(keys: [text]) }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
  public init(stringLiteral text: String) { self.init(text: text) }
  public init(integerLiteral number: Int) { self = .number(.integer(number)) }
  public init(booleanLiteral flag: Bool) { self = .bool(flag) }
}

extension Item {
  /// An item as if it had been read from this path.
  static func sample(_ path: RelativePath, _ fields: Fields, stamp: FileStamp = FileStamp()) -> Item {
    Item(id: ID(path: path), path: path, stamp: stamp, fields: PackedValue(.map(fields)))
  }
}

extension FileStamp {
  init(size: UInt64 = 0, modified: Int64 = 0) {
    var raw = clinux_stamp()
    raw.size = size
    raw.modified_seconds = modified
    self.init(raw)
  }
}

/// A value as YAML says it.
func yaml(_ text: String) throws -> Value { try PackedValue(reading: text, as: .yaml).value }
