public import Files
public import Values

/// One item as it was read. It is immutable, so a snapshot that holds it never changes.
///
/// Reading a file twice gives two `Item`s. The view decides which of their differences matter
/// (`FetchRequest.fields`).
public final class Item: Sendable, Identifiable {
  /// The id that identifies the item in every list.
  public let id: ID
  /// The path of the item's file, relative to the root.
  public let path: RelativePath
  /// The size and times of the file when it was read.
  package let stamp: FileStamp
  /// The fields of the item: a map.
  public let fields: PackedValue

  package init(id: ID, path: RelativePath, stamp: FileStamp, fields: PackedValue) {
    self.id = id
    self.path = path
    self.stamp = stamp
    self.fields = fields
  }

  /// True if the file is so large that others should not wait for work with it.
  package var isLarge: Bool { stamp.size > UInt64(Value.quickSize) }

  /// The fields that name an item, the first ones first: a title is the first of them that it has.
  package static let titleKeys = ["title", "name", "label", "subject"]
  /// The field that has the text of a Markdown file.
  package static let bodyKey = "body"

  /// Returns the value at a path, or of a pseudo-field such as `@modified`; nil if it is missing.
  public func value(at path: FieldPath) -> Value? { value(at: path, limit: .max) }

  /// Returns the beginning of the value at a path, or the value of a pseudo-field; nil if it is missing.
  ///
  /// A string may be as long as its file. This call costs only as much as the part that it returns.
  ///
  /// - Parameter limit: The number of bytes of text after which strings are cut, and lists and maps
  ///   end, see `PackedValue.value(at:limit:)`.
  package func value(at path: FieldPath, limit: Int) -> Value? {
    PseudoField(path)?.value(of: self) ?? fields.value(at: path, limit: limit)
  }
}

extension Item: CustomStringConvertible {
  /// The id, the path and the fields as JSON: `ada (ada.yaml): {"name":"Ada"}`. Control
  /// characters are escaped.
  public var description: String { DisplayText.safe("\(id) (\(path)): \(fields)") }
}
