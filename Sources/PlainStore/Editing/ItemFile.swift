public import DirectoryWatch
public import PlainText

/// An item with the text of its file, as it was read from disk.
public struct ItemFile: Sendable {
  public let item: Item
  public let format: TextFormat
  /// The complete content of the file.
  public let bytes: [UInt8]

  public var id: Item.ID { item.id }
  public var path: RelativePath { item.path }
  package var fields: Fields { item.fields.value.fields ?? [:] }
  /// The state of the item at this reading, for a change that is based on it.
  public var revision: ItemRevision { ItemRevision(path: path, stamp: item.stamp, fields: item.fields, bytes: bytes) }
}

/// The text of an item's file, which may be broken.
package struct RawItem: Sendable {
  package let id: Item.ID
  package let path: RelativePath
  package let format: TextFormat
  package let bytes: [UInt8]
  /// The state of the file at this reading, for a change that is based on it.
  package let revision: ItemRevision
}
