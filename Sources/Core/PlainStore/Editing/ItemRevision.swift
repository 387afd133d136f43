public import Files
public import Query
package import Values

/// The state of an item at one reading. A save compares the file with it to detect changes by other
/// programs.
public struct ItemRevision: Sendable, CustomStringConvertible {
  /// The path of the file at that time.
  public let path: RelativePath
  let stamp: FileStamp
  let fields: PackedValue
  /// The text of the file; nil if only the values were kept.
  let bytes: [UInt8]?

  /// The path, and the size that the file had.
  public var description: String { "\(path), \(stamp.size) bytes" }

  init(path: RelativePath, stamp: FileStamp, fields: PackedValue, bytes: [UInt8]? = nil) {
    self.path = path
    self.stamp = stamp
    self.fields = fields
    self.bytes = bytes
  }

  /// Creates the revision of a text that was read by another way than through a store.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - fields: The fields of the text; an empty map if it cannot be read.
  ///   - bytes: The text.
  package init(path: RelativePath, fields: PackedValue, bytes: [UInt8]) {
    // The bytes decide, so the stamp does not matter.
    self.init(
      path: path, stamp: FileStamp(size: UInt64(bytes.count), at: FileTime(seconds: 0)), fields: fields,
      bytes: bytes)
  }

  /// Returns true if both readings found the same values at the same path. The file may have been
  /// written in between, with other comments or without a change.
  public func hasSameValues(as other: ItemRevision) -> Bool { path == other.path && fields == other.fields }

  /// Returns true if a file still holds the text that was read. If the text was not kept, the
  /// stamps are compared.
  func isText(of file: FileContent) -> Bool {
    if let bytes { return bytes == file.text.bytes }
    return stamp.isUntouched(file.stamp)
  }
}

extension Item {
  /// The state of the item at this reading, for a change that is based on it.
  public var revision: ItemRevision { ItemRevision(path: path, stamp: stamp, fields: fields) }
}

extension FileStamp {
  /// Returns true if the file was neither replaced nor written in between. A new name, owner or
  /// mode does not count.
  func isUntouched(_ other: FileStamp) -> Bool {
    identity == other.identity && size == other.size && modified == other.modified
  }
}
