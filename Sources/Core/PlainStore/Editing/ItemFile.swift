public import Files
public import Query
public import Values

/// An item with the text of its file, as it was read from disk.
public struct ItemFile: Sendable, CustomStringConvertible {
  /// The item.
  public let item: Item
  /// The format of the file.
  public let format: TextFormat
  /// The complete content of the file.
  public let bytes: [UInt8]

  /// The id of the item.
  public var id: Item.ID { item.id }
  /// The path of the file.
  public var path: RelativePath { item.path }
  /// The id, the path and the size, such as `ada: ada.yaml, 120 bytes`.
  public var description: String { "\(id): \(path), \(bytes.count) bytes" }
  package var fields: Fields { item.fields.value.fields ?? [:] }
  /// The state of the item at this reading, for a change that is based on it.
  public var revision: ItemRevision {
    ItemRevision(path: path, stamp: item.stamp, fields: item.fields, bytes: bytes)
  }
}
