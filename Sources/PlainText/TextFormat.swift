/// The kinds of files that hold an item.
///
/// An enum, so that a new format does not compile until every `switch` over the formats handles it.
public enum TextFormat: String, Sendable, CaseIterable {
  case yaml
  case json
  /// YAML front matter between `---` lines, then the text, which becomes the field `body`.
  case markdown

  /// The extensions of its files, without the dot; the first is for new ones.
  public var pathExtensions: [String] {
    switch self {
    case .yaml: ["yaml", "yml", "YAML", "YML"]
    case .json: ["json", "JSON"]
    case .markdown: ["md", "markdown", "MD", "MARKDOWN"]
    }
  }

  /// The format of files with this extension (without the dot), in lower or upper case; nil where it is none of ours.
  public init?(pathExtension: String) {
    switch pathExtension {
    case "yaml", "yml", "YAML", "YML": self = .yaml
    case "json", "JSON": self = .json
    case "md", "markdown", "MD", "MARKDOWN": self = .markdown
    default: return nil
    }
  }
}
