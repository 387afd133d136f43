/// A value in a text, with the bytes that it occupies and its style.
///
/// All ranges are byte offsets in the file, which includes a byte order mark and front matter. They
/// do not contain the line break after a value.
public struct LocatedValue: Sendable {
  /// The kind of a value and what it contains.
  public enum Content: Sendable {
    case scalar(Value)
    case list([LocatedValue])
    case map([LocatedEntry])
    /// An alias of the value with this anchor.
    case alias(String)
  }

  /// How a value is written.
  public enum Style: Sendable {
    case plain
    case singleQuoted
    case doubleQuoted
    /// `|`
    case literal
    /// `>`
    case folded
    /// An indented list or map.
    case block
    /// A list in brackets or a map in braces.
    case flow
    /// A map of one entry in a list in brackets, without braces: `[a: 1]`.
    case pair
    /// An alias: `*name`.
    case alias
    /// The text of a Markdown file.
    case body
  }

  public let content: Content
  public let style: Style
  /// The bytes of the value: with quotes, brackets or the indicator of a block scalar, without
  /// anchor and tag. Empty for a null that is not written.
  public let range: Range<Int>
  /// The bytes of the anchor and the tag before the value.
  public let properties: Range<Int>?
  public let anchor: String?
  /// The tag: complete (`tag:yaml.org,2002:str`), or as written if it is local (`!color`).
  public let tag: String?

  /// The bytes of the value with its anchor and tag.
  public var fullRange: Range<Int> { (properties ?? range).lowerBound..<range.upperBound }
}

/// A key of a map and its value, with the bytes that they occupy.
public struct LocatedEntry: Sendable {
  public let key: String
  /// The bytes of the key, with quotes. Empty for the body of a Markdown file, whose key is not
  /// written.
  public let keyRange: Range<Int>
  /// The anchor of the key.
  public let keyAnchor: String?
  /// The bytes from the key, or from the `?` before it, to the end of the value.
  public let range: Range<Int>
  /// True for a merge key `<<`.
  public let isMerge: Bool
  public let value: LocatedValue
}

extension LocatedValue {
  /// The entries of a map; nil for anything else.
  public var entries: [LocatedEntry]? {
    if case .map(let entries) = content { entries } else { nil }
  }

  /// The elements of a list; nil for anything else.
  public var elements: [LocatedValue]? {
    if case .list(let elements) = content { elements } else { nil }
  }

  /// Returns the entry of a key that is written in this map; nil if there is none, or if a merge
  /// key provides it.
  func entry(_ key: String) -> LocatedEntry? {
    entries?.first { !$0.isMerge && $0.key.hasSameBytes(as: key) }
  }
}
