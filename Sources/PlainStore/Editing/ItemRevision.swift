public import DirectoryWatch
import PlainText

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
    if let bytes { return bytes == file.text.bytes }
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
    device == other.device && inode == other.inode && size == other.size && modified == other.modified
  }
}
