/// Reads files of all formats into packed values. It keeps its buffers: use one per thread for many files.
///
/// ```swift
/// var reader = TextReader()
/// let bytes = Array("title: Notes\nrating: 5\n".utf8)
/// let item = try bytes.withUnsafeBytes { try reader.readItem($0, as: .yaml) }
/// print(item.value["rating"] ?? .null)
/// ```
///
/// Each call is linear in the length of the text, in time and memory, and stops at `limits`.
public struct TextReader: Sendable {
  /// The limits of each text.
  public let limits: ReadLimits
  private var builder = PackedBuilder()
  private var yaml: YAMLReader
  private var json: JSONReader

  /// Creates a reader with these limits for each text.
  public init(limits: ReadLimits = ReadLimits()) {
    self.init(limits: limits, usesScanner: YAMLReader.isScannerOn)
  }

  /// Without the scanner, libyaml reads each YAML text.
  package init(limits: ReadLimits = ReadLimits(), usesScanner: Bool) {
    self.limits = limits
    yaml = YAMLReader(limits: limits, usesScanner: usesScanner)
    json = JSONReader(limits: limits)
  }

  /// Reads a value of any kind. An empty YAML text is null; a Markdown text is always a map. Throws the first
  /// error in the text, even if a limit is exceeded.
  public mutating func read(_ bytes: UnsafeRawBufferPointer, as format: TextFormat) throws(TextError)
    -> PackedValue
  {
    try read(bytes, as: format, isItem: false)
  }

  /// Reads an item: a text whose root is a map. Throws the first error in the text, even if the root is not
  /// a map or a limit is exceeded.
  public mutating func readItem(_ bytes: UnsafeRawBufferPointer, as format: TextFormat) throws(TextError)
    -> PackedValue
  {
    try read(bytes, as: format, isItem: true)
  }

  private mutating func read(_ bytes: UnsafeRawBufferPointer, as format: TextFormat, isItem: Bool)
    throws(TextError) -> PackedValue
  {
    if let error = limits.sizeError(forFileOf: bytes.count) { throw error }
    #if DEBUG
      ReadCounter.current?.recordRead()
    #endif
    builder.reset()
    guard format == .yaml, SourceText.isUTF16(bytes) else {
      return try readUTF8(bytes, format, isItem)
    }
    let text = try SourceText.utf8(fromUTF16: bytes)
    return try text.withRawBytes { raw throws(TextError) in try readUTF8(raw, format, isItem) }
  }

  private mutating func readUTF8(_ bytes: UnsafeRawBufferPointer, _ format: TextFormat, _ isItem: Bool)
    throws(TextError) -> PackedValue
  {
    let source = try SourceText(checking: SourceText.withoutByteOrderMark(bytes))
    switch format {
    case .yaml:
      yaml.reservedKey = nil
      let root = try yaml.read(source, 0..<source.bytes.count, into: &builder)
      if isItem { try TextReader.checkItem(root, source) }
      if root.kind == .nothing && builder.count == 0 { builder.appendNull() }
    case .json:
      try json.read(source, into: &builder)
      if isItem { try checkJSONItem(source) }
    case .markdown:
      try readMarkdown(source)
    }
    return builder.finish()
  }

  private mutating func readMarkdown(_ source: SourceText) throws(TextError) {
    let parts = FrontMatter(source.bytes)
    if parts.isUnclosed {
      throw source.error(
        at: 0, "The front matter that begins here is not closed. Add a line `---` after its last key.")
    }
    var root = YAMLReader.Root(kind: .nothing, offset: 0)
    if let range = parts.yaml {
      yaml.reservedKey = "body"
      root = try yaml.read(source, range, into: &builder)
    }
    switch root.kind {
    case .scalar, .list:
      throw source.error(
        at: root.offset,
        "The front matter is \(TextReader.name(root.kind)), but must be a map. Write `key: value` lines.")
    case .nothing:
      builder.reset()
      _ = builder.begin(.map)
    case .map: break
    }
    if let offset = source.bytes.firstOffset(of: 0, in: parts.body) {
      throw source.error(
        at: offset, "A NUL character is not allowed. This is not a text file, or it is damaged.")
    }
    "body".utf8.withContiguousStorageIfAvailable { _ = builder.append(key: UnsafeRawBufferPointer($0)) }
    builder.append(string: UnsafeRawBufferPointer(rebasing: source.bytes[parts.body]))
    builder.end(PackedBuilder.rootStart)
  }

  private static func checkItem(_ root: YAMLReader.Root, _ source: SourceText) throws(TextError) {
    switch root.kind {
    case .map: return
    case .nothing: throw source.error(at: 0, "The file contains no value. Write a map: `key: value` lines.")
    case .scalar, .list:
      throw source.error(
        at: root.offset,
        "The file contains \(name(root.kind)), but must contain a map. Write `key: value` lines.")
    }
  }

  private func checkJSONItem(_ source: SourceText) throws(TextError) {
    guard let tag = builder.withBytes({ $0.first }), tag != PackedValue.Tag.map.rawValue else { return }
    let offset = source.bytes.firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? 0
    let name = TextReader.name(tag == PackedValue.Tag.list.rawValue ? .list : .scalar)
    throw source.error(at: offset, "The file contains \(name), but must contain a map. Write {\"key\": …}.")
  }

  private static func name(_ kind: YAMLReader.Root.Kind) -> String {
    switch kind {
    case .nothing: "nothing"
    case .scalar: "a single value"
    case .list: "a list"
    case .map: "a map"
    }
  }
}

extension PackedValue {
  /// Reads a value from one text. Use a `TextReader` to read many.
  public init(reading bytes: [UInt8], as format: TextFormat, limits: ReadLimits = ReadLimits())
    throws(TextError)
  {
    var reader = TextReader(limits: limits)
    self = try bytes.withRawBytes { raw throws(TextError) in try reader.read(raw, as: format) }
  }

  /// Reads a value from one text. Use a `TextReader` to read many.
  public init(reading text: String, as format: TextFormat, limits: ReadLimits = ReadLimits())
    throws(TextError)
  {
    try self.init(reading: Array(text.utf8), as: format, limits: limits)
  }
}
