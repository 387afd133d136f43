/// A value in a text, with the bytes that it occupies and its style.
///
/// All ranges are byte offsets in the file, which includes a byte order mark and front matter. They
/// do not contain the line break after a value.
public struct LocatedValue: Sendable, CustomStringConvertible {
  /// The kind of a value and what it contains.
  public enum Content: Sendable, CustomStringConvertible {
    /// A scalar, with its value.
    case scalar(Value)
    /// A list.
    case list([LocatedValue])
    /// A map.
    case map([LocatedEntry])
    /// An alias of the value with this anchor.
    case alias(String)

    /// A scalar as JSON, an alias as `*name`, and the size of a list or map.
    public var description: String {
      switch self {
      case .scalar(let value): value.description
      case .list(let elements): "list of \(elements.count)"
      case .map(let entries): "map of \(entries.count)"
      case .alias(let name): "*\(name)"
      }
    }
  }

  /// The way in which a value is written.
  public enum Style: Sendable {
    /// Without quotes.
    case plain
    /// In single quotes.
    case singleQuoted
    /// In double quotes.
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

  /// The kind of the value and what it contains.
  public let content: Content
  /// The way in which this value is written.
  public let style: Style
  /// The bytes of the value: with quotes, brackets or the indicator of a block scalar, without
  /// anchor and tag. Empty for a null that is not written.
  public let range: Range<Int>
  /// The bytes of the anchor and the tag before the value.
  public let properties: Range<Int>?
  /// The name of the anchor, without the `&`.
  public let anchor: String?
  /// The tag: complete (`tag:yaml.org,2002:str`), or as written if it is local (`!color`).
  public let tag: String?

  package init(
    content: Content, style: Style, range: Range<Int>, properties: Range<Int>? = nil, anchor: String? = nil,
    tag: String? = nil
  ) {
    self.content = content
    self.style = style
    self.range = range
    self.properties = properties
    self.anchor = anchor
    self.tag = tag
  }

  /// The content and its range: `"Ada" at 6..<9`.
  public var description: String { "\(content) at \(range)" }

  /// The bytes of the value with its anchor and tag.
  public var fullRange: Range<Int> { (properties ?? range).lowerBound..<range.upperBound }

  /// The entries of a map; nil for anything else.
  public var entries: [LocatedEntry]? {
    if case .map(let entries) = content { entries } else { nil }
  }

  /// The elements of a list; nil for anything else.
  public var elements: [LocatedValue]? {
    if case .list(let elements) = content { elements } else { nil }
  }

  /// Returns the entry of a key; nil if it is not written here, as if a merge key provides it.
  func entry(_ key: String) -> LocatedEntry? {
    entries?.first { !$0.isMerge && $0.key.hasSameBytes(as: key) }
  }

  /// True for a null that is not written: `key:` with nothing after it.
  package var isUnwritten: Bool { if case .scalar(.null) = content { range.isEmpty } else { false } }

  /// The ranges of the items with their anchors and tags, without the dashes of a block list.
  package var itemRanges: [Range<Int>] {
    switch content {
    case .map(let entries): entries.map(\.range)
    case .list(let elements): elements.map(\.fullRange)
    case .scalar, .alias: []
    }
  }

  package var isCollection: Bool {
    switch content {
    case .map, .list: true
    case .scalar, .alias: false
    }
  }
}

/// A key of a map and its value, with the bytes that they occupy.
public struct LocatedEntry: Sendable, CustomStringConvertible {
  /// The key as a string, without quotes and escapes.
  public let key: String
  /// The bytes of the key, with quotes. Empty for the body of a Markdown file, whose key is not written.
  public let keyRange: Range<Int>
  package let keyAnchor: String?
  /// The bytes from the key, or from the `?` before it, to the end of the value.
  public let range: Range<Int>
  /// True for a merge key `<<`.
  public let isMerge: Bool
  /// The value; a null that is not written has an empty range.
  public let value: LocatedValue

  /// The key and its value with its range: `name: "Ada" at 6..<9`.
  public var description: String { "\(key): \(value)" }
}
