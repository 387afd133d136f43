/// A value as it stands in a text: how it is written, and on which bytes.
///
/// All ranges are in bytes of the file, byte order mark and front matter counted, and hold no line break at their end.
public struct LocatedValue: Sendable {
  public enum Content: Sendable {
    case scalar(Value)
    case list([LocatedValue])
    case map([LocatedEntry])
    /// Stands for the value that has this anchor.
    case alias(String)
  }

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
    /// A map of one entry in a list in brackets: `[a: 1]`.
    case pair
    case alias
    /// The text of a Markdown file.
    case body
  }

  public let content: Content
  public let style: Style
  /// The value itself, without anchor and tag; with quotes, brackets and the indicator of a block scalar. Empty where a null is not written.
  public let range: Range<Int>
  /// The anchor and the tag before the value.
  public let properties: Range<Int>?
  public let anchor: String?
  /// In full (`tag:yaml.org,2002:str`), or as written where it is local (`!color`).
  public let tag: String?

  /// With anchor and tag.
  public var fullRange: Range<Int> { (properties ?? range).lowerBound..<range.upperBound }
}

/// A key of a map and its value, as they stand in a text.
public struct LocatedEntry: Sendable {
  public let key: String
  /// The key itself, with quotes; empty for the body of a Markdown file, whose key is not written.
  public let keyRange: Range<Int>
  /// The anchor of the key itself.
  public let keyAnchor: String?
  /// From the key, or the `?` before it, to the end of the value.
  public let range: Range<Int>
  /// Whether this is a merge key: `<<` as YAML means it.
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

  /// The entry of a key that is written in this map itself.
  func entry(_ key: String) -> LocatedEntry? {
    entries?.first { !$0.isMerge && $0.key.hasSameBytes(as: key) }
  }
}
