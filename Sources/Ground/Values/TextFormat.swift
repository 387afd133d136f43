/// The format of a file that contains an item. An enum, so that each `switch` has to handle a new format.
public enum TextFormat: String, Sendable, CaseIterable {
  /// A YAML document (`.yaml`, `.yml`).
  case yaml
  /// A JSON text (`.json`).
  case json
  /// A Markdown file (`.md`, `.markdown`): YAML front matter between `---` lines, then the text,
  /// which is the field `body`.
  case markdown

  /// The file extensions of this format, without the dot. The first one is used for new files.
  public var pathExtensions: [String] {
    switch self {
    case .yaml: ["yaml", "yml", "YAML", "YML"]
    case .json: ["json", "JSON"]
    case .markdown: ["md", "markdown", "MD", "MARKDOWN"]
    }
  }

  /// Finds the format with this extension, without the dot, in lower or upper case; nil if there is none.
  public init?(pathExtension: String) {
    guard let found = TextFormat.formats[pathExtension] else { return nil }
    self = found
  }

  private static let formats = Dictionary(
    uniqueKeysWithValues: allCases.flatMap { format in format.pathExtensions.map { ($0, format) } })

  /// Finds the format of a file by its name; nil if that begins with a dot. The bytes need not be UTF-8.
  package init?(fileName name: UnsafeRawBufferPointer) {
    // Nine bytes: the dot and `markdown`, the longest extension.
    guard name.first != ".", let dot = name.lastIndex(of: UInt8(ascii: ".")),
      name.count - dot <= 9,
      let found = TextFormat(pathExtension: String(decoding: name[(dot + 1)...], as: UTF8.self))
    else { return nil }
    self = found
  }
}
