/// The kinds of files that hold an item.
public enum TextFormat: String, Sendable, CaseIterable {
  case yaml
  case json
  /// YAML front matter between `---` lines, then the text, which becomes the field `body`.
  case markdown

  /// Every extension that has a format.
  package static let pathExtensions = ["yaml", "yml", "YAML", "YML", "json", "JSON", "md", "markdown", "MD", "MARKDOWN"]

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
