/// A text with the place of each value and key, for errors at a value and edits that keep all other bytes.
///
/// ```swift
/// let text = try LocatedText(reading: Array("title: Notes\nrating: 5\n".utf8), as: .yaml)
/// let path: FieldPath = "rating"
/// text.range(of: path)  // 21..<22
/// text.place(of: path)  // line 2, column 9
/// ```
public struct LocatedText: Sendable, CustomStringConvertible {
  /// The bytes of the file.
  public let bytes: [UInt8]
  /// The format of the text.
  public let format: TextFormat
  /// The root value; nil if there is none. For Markdown: a map whose last entry is the body.
  public let root: LocatedValue?
  /// The range between the two `---` lines of a Markdown file.
  public let frontMatter: Range<Int>?

  /// The format and the size: `yaml, 42 bytes`.
  public var description: String { "\(format), \(bytes.count) bytes" }

  /// Reads a text and locates its values. Linear. UTF-16 is an error: it would have to be converted.
  public init(reading bytes: [UInt8], as format: TextFormat, limits: ReadLimits = ReadLimits())
    throws(TextError)
  {
    _ = try PackedValue(reading: bytes, as: format, limits: limits)
    try self.init(readable: bytes, as: format)
  }

  /// Finds the places in a text that is known to be readable.
  package init(readable bytes: [UInt8], as format: TextFormat) throws(TextError) {
    #if DEBUG
      ReadCounter.current?.recordLocation()
    #endif
    self.bytes = bytes
    self.format = format
    (root, frontMatter) = try bytes.withRawBytes { raw throws(TextError) in
      if format == .yaml, SourceText.isUTF16(raw) {
        throw TextError(
          line: 1, column: 1,
          message: "The text is UTF-16, which can be read but not edited. Save the file as UTF-8.")
      }
      let text = SourceText.withoutByteOrderMark(raw)
      return try LocatedText.locate(SourceText(checking: text), raw.count - text.count, format)
    }
  }

  private static func locate(
    _ source: SourceText, _ shift: Int, _ format: TextFormat
  ) throws(TextError) -> (root: LocatedValue?, frontMatter: Range<Int>?) {
    switch format {
    case .json: return (try LocatedValue(json: source, shift: shift), nil)
    case .yaml: return (try YAMLLocator.locate(source, 0..<source.bytes.count, shift: shift), nil)
    case .markdown:
      let parts = FrontMatter(source.bytes)
      let map = try parts.yaml.flatMap { range throws(TextError) in
        try YAMLLocator.locate(source, range, shift: shift)
      }
      let shifted = { (range: Range<Int>) in range.lowerBound + shift..<range.upperBound + shift }
      let body = LocatedText.body(
        String(decoding: source.bytes[parts.body], as: UTF8.self), shifted(parts.body))
      let start = map?.range.lowerBound ?? body.range.lowerBound
      let root = LocatedValue(
        content: .map((map?.entries ?? []) + [body]), style: map?.style ?? .block,
        range: start..<body.range.upperBound,
        properties: map?.properties,
        anchor: map?.anchor, tag: map?.tag)
      return (root, parts.yaml.map(shifted))
    }
  }

  private static func body(_ text: String, _ range: Range<Int>) -> LocatedEntry {
    let start = range.lowerBound
    let value = LocatedValue(
      content: .scalar(Value(text: text)), style: .body, range: range)
    return LocatedEntry(
      key: "body", keyRange: start..<start, keyAnchor: nil, range: range, isMerge: false, value: value)
  }

  /// Returns the value that is written at a path; nil if there is none, or if an alias or a merge
  /// key provides it. A number is an element of a list, from 0.
  public func value(at path: FieldPath) -> LocatedValue? {
    path.keys.reduce(root) { value, key in value.flatMap { LocatedText.child($0, key)?.value } }
  }

  /// Returns the bytes of the value that is written at a path; nil as in `value(at:)`.
  public func range(of path: FieldPath) -> Range<Int>? { value(at: path)?.range }

  /// Returns the start of the value at a path, or of the deepest written value above it.
  public func place(of path: FieldPath) -> TextPlace { place(at: deepestWritten(path.keys).value) }

  /// Returns the start of the key at a path, or of the deepest written key above it.
  package func placeOfKey(_ path: FieldPath) -> TextPlace { place(at: deepestWritten(path.keys).key) }

  /// Returns the line and column of a byte. Linear.
  public func place(at offset: Int) -> TextPlace {
    bytes.withRawBytes { raw in
      let text = SourceText.withoutByteOrderMark(raw)
      return TextPlace(of: offset - (raw.count - text.count), in: text)
    }
  }

  private func deepestWritten(_ keys: [String]) -> (key: Int, value: Int) {
    guard var value = root else { return (0, 0) }
    var found = (key: value.fullRange.lowerBound, value: value.fullRange.lowerBound)
    for key in keys {
      guard let child = LocatedText.child(value, key) else {
        // A merge key may provide it.
        guard let merge = value.entries?.first(where: \.isMerge) else { break }
        return (merge.keyRange.lowerBound, merge.value.range.lowerBound)
      }
      found = (child.key, child.value.range.lowerBound)
      value = child.value
    }
    return found
  }

  private static func child(_ value: LocatedValue, _ key: String) -> (key: Int, value: LocatedValue)? {
    switch value.content {
    case .map: return value.entry(key).map { ($0.keyRange.lowerBound, $0.value) }
    case .list(let elements):
      guard let index = Int(key), elements.indices.contains(index) else { return nil }
      return (elements[index].range.lowerBound, elements[index])
    case .scalar, .alias: return nil
    }
  }
}
