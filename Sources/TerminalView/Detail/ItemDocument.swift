public import PlainStore
public import PlainText

/// The file of an item, as the detail pane shows it.
public struct ItemDocument: Sendable {
  /// The id of the item.
  public var id: Item.ID
  /// The path of the file, relative to the root.
  public var path: RelativePath
  /// The format of the file.
  public var format: TextFormat
  /// The bytes of the file; nil if it cannot be read.
  public var bytes: [UInt8]?
  /// The problems of the file.
  public var problems: [Problem]

  /// Creates a document.
  public init(id: Item.ID, path: RelativePath, format: TextFormat, bytes: [UInt8]?, problems: [Problem]) {
    (self.id, self.path, self.format, self.bytes, self.problems) = (id, path, format, bytes, problems)
  }
}
