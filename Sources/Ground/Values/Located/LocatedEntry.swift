/// A key of a map and its value, with the bytes that they occupy.
public struct LocatedEntry: Sendable {
  /// The key as a string, without quotes and escapes.
  public let key: String
  /// The bytes of the key, with quotes. Empty for the body of a Markdown file, whose key is not
  /// written.
  public let keyRange: Range<Int>
  /// The anchor of the key.
  package let keyAnchor: String?
  /// The bytes from the key, or from the `?` before it, to the end of the value.
  public let range: Range<Int>
  /// True for a merge key `<<`.
  public let isMerge: Bool
  /// The value; a null that is not written has an empty range.
  public let value: LocatedValue
}
