import Files
@testable import Store
import Values

@testable import Query

extension Item {
  /// Makes an item as if it had been read from this path.
  static func sample(_ path: RelativePath, _ fields: Fields, stamp: FileStamp = FileStamp()) -> Item {
    Item(id: ID(path: path), path: path, stamp: stamp, fields: PackedValue(.map(fields)))
  }
}

extension FileStamp {
  init(size: UInt64 = 0, modified: Int64 = 0) {
    self.init(size: size, at: FileTime(seconds: modified))
  }
}

/// Reads a value from YAML.
func yaml(_ text: String) throws -> Value { try PackedValue(reading: text, as: .yaml).value }
