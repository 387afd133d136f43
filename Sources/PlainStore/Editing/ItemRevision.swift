public import DirectoryWatch
import LinuxFiles
public import PlainText

/// What an item was like when it was read: what a save compares the file with, to see whether somebody changed it meanwhile.
public struct ItemRevision: Sendable {
  /// Where its file was.
  public let path: RelativePath
  let stamp: FileStamp
  let fields: PackedValue
  /// The file's text; nil where only the values were kept.
  let bytes: [UInt8]?

  init(path: RelativePath, stamp: FileStamp, fields: PackedValue, bytes: [UInt8]? = nil) {
    self.path = path
    self.stamp = stamp
    self.fields = fields
    self.bytes = bytes
  }

  /// Whether a file holds the text that was read; where the text is not known, whether nothing tells that it was written since.
  func isText(of file: FileContent) -> Bool {
    if let bytes { return bytes == file.bytes }
    return stamp.isUntouched(file.stamp)
  }
}

extension Item {
  /// This reading of the item, for a change that is made to it.
  public var revision: ItemRevision { ItemRevision(path: path, stamp: stamp, fields: fields) }
}

extension FileStamp {
  /// Whether a file was neither replaced nor written in between. A new name, another owner or mode only change `changed`.
  func isUntouched(_ other: FileStamp) -> Bool {
    identity == other.identity && size == other.size && modified == other.modified
  }
}

/// An item with the text of its file, as a save or an editor reads it.
public struct ItemFile: Sendable {
  public let item: Item
  public let format: TextFormat
  public let bytes: [UInt8]

  public var id: Item.ID { item.id }
  public var path: RelativePath { item.path }
  package var fields: Fields { item.fields.value.fields ?? [:] }
  /// For a change that is made to it.
  public var revision: ItemRevision { ItemRevision(path: path, stamp: item.stamp, fields: item.fields, bytes: bytes) }
}
