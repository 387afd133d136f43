/// A text with the place of everything in it: for errors that point at a value, and for edits that leave every other byte alone.
///
/// ```swift
/// let text = try LocatedText(reading: Array("title: Notes\nrating: 5\n".utf8), as: .yaml)
/// let path: FieldPath = "rating"
/// text.range(of: path)  // 21..<22
/// text.place(of: path)  // line 2, column 9
/// ```
public struct LocatedText: Sendable {
  public let bytes: [UInt8]
  public let format: TextFormat
  /// Nil where the text holds no value. Of Markdown a map whose last entry is the body.
  public let root: LocatedValue?
  /// What lies between the two `---` lines of Markdown.
  public let frontMatter: Range<Int>?

  /// Everything that the ordinary reader refuses is refused, and UTF-16, whose bytes are not those that were read. Linear.
  public init(reading bytes: [UInt8], as format: TextFormat, limits: ReadLimits = ReadLimits()) throws(TextError) {
    _ = try PackedValue(reading: bytes, as: format, limits: limits)
    try self.init(readable: bytes, as: format)
  }

  /// Finds the places in a text that was read before, so that nothing has to be checked again. Linear.
  ///
  /// - Throws: if the text is UTF-16.
  init(locating text: ItemText) throws(TextError) { try self.init(readable: text.bytes, as: text.format) }

  private init(readable bytes: [UInt8], as format: TextFormat) throws(TextError) {
    #if DEBUG
      ReadCounter.current?.recordLocation()
    #endif
    self.bytes = bytes
    self.format = format
    (root, frontMatter) = try bytes.withRawBytes { raw throws(TextError) in
      if format == .yaml, UTF16Text.isMarked(raw) {
        throw TextError(line: 1, column: 1, message: "The text is UTF-16, which can be read but not edited. Save it as UTF-8.")
      }
      let text = SourceText.withoutByteOrderMark(raw)
      return try LocatedText.locate(SourceText(checking: text), raw.count - text.count, format)
    }
  }

  private static func locate(
    _ source: SourceText, _ shift: Int, _ format: TextFormat
  ) throws(TextError) -> (root: LocatedValue?, frontMatter: Range<Int>?) {
    switch format {
    case .json: return (try JSONLocator.locate(source, shift: shift), nil)
    case .yaml: return (try YAMLLocator.locate(source, 0..<source.bytes.count, shift: shift), nil)
    case .markdown:
      let parts = FrontMatter(source.bytes)
      let map = try parts.yaml.flatMap { range throws(TextError) in try YAMLLocator.locate(source, range, shift: shift) }
      let shifted = { (range: Range<Int>) in range.lowerBound + shift..<range.upperBound + shift }
      let body = LocatedText.body(String(decoding: source.bytes[parts.body], as: UTF8.self), shifted(parts.body))
      let start = map?.range.lowerBound ?? body.range.lowerBound
      let root = LocatedValue(
        content: .map((map?.entries ?? []) + [body]), style: map?.style ?? .block, range: start..<body.range.upperBound,
        properties: map?.properties,
        anchor: map?.anchor, tag: map?.tag)
      return (root, parts.yaml.map(shifted))
    }
  }

  private static func body(_ text: String, _ range: Range<Int>) -> LocatedEntry {
    let start = range.lowerBound
    let value = LocatedValue(content: .scalar(Value(text: text)), style: .body, range: range, properties: nil, anchor: nil, tag: nil)
    return LocatedEntry(key: "body", keyRange: start..<start, keyAnchor: nil, range: range, isMerge: false, value: value)
  }
}

extension LocatedText {
  /// The value at a path, where it is written out there: not behind an alias or a merge key. Into a list a key goes by its number, from 0.
  public func value(at path: FieldPath) -> LocatedValue? {
    path.keys.reduce(root) { value, key in value.flatMap { LocatedText.child($0, key)?.value } }
  }

  /// The bytes of the value at a path, where it is written out there.
  public func range(of path: FieldPath) -> Range<Int>? { value(at: path)?.range }

  /// Where the value at a path begins; where it is not written, the deepest value on the way to it that is.
  public func place(of path: FieldPath) -> TextPlace { place(at: deepest(path.keys).value) }

  /// Where the key of a path begins; where it is not written, the deepest key on the way to it that is.
  public func placeOfKey(_ path: FieldPath) -> TextPlace { place(at: deepest(path.keys).key) }

  /// The line and column of a byte. Linear.
  public func place(at offset: Int) -> TextPlace {
    bytes.withRawBytes { raw in
      let text = SourceText.withoutByteOrderMark(raw)
      return TextPlace(of: offset - (raw.count - text.count), in: text)
    }
  }

  private func deepest(_ keys: [String]) -> (key: Int, value: Int) {
    guard var value = root else { return (0, 0) }
    var found = (key: value.fullRange.lowerBound, value: value.fullRange.lowerBound)
    for key in keys {
      guard let child = LocatedText.child(value, key) else {
        // Perhaps a merge key brings it.
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
