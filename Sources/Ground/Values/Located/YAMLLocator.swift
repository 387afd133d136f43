import CLibYAML

/// Finds the place of each value in a YAML text that `YAMLReader` accepts.
struct YAMLLocator {
  private let source: SourceText
  private let range: Range<Int>
  private let shift: Int
  private let offsets: CharacterOffsets
  private var tree = LocatedTree()
  /// The texts of anchored scalars, for aliases that are keys.
  private var anchoredTexts: [String: String] = [:]

  /// Locates the values in `range`. Returns nil if the document is empty.
  static func locate(_ source: SourceText, _ range: Range<Int>, shift: Int) throws(TextError) -> LocatedValue?
  {
    var locator = YAMLLocator(source, range, shift)
    var parser = try YAMLParser(source, range)
    while true {
      try parser.advance(depth: locator.tree.depth)
      switch parser.event.type {
      case YAML_STREAM_END_EVENT, YAML_DOCUMENT_END_EVENT: return locator.tree.root
      case YAML_SCALAR_EVENT: locator.scalar(parser.event)
      case YAML_ALIAS_EVENT: locator.alias(parser.event)
      case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT: locator.begin(parser.event)
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
        locator.tree.end(at: locator.offsets[parser.event.end_mark.index] + shift)
      default: break
      }
    }
  }

  private init(_ source: SourceText, _ range: Range<Int>, _ shift: Int) {
    self.source = source
    self.range = range
    self.shift = shift
    offsets = CharacterOffsets(source, range)
  }

  private mutating func scalar(_ event: yaml_event_t) {
    let scalar = event.data.scalar
    let text = UnsafeRawBufferPointer(start: scalar.value, count: scalar.length)
    let string = String(decoding: text, as: UTF8.self)
    let style = YAMLLocator.style(scalar.style)
    let anchor = YAMLLocator.string(scalar.anchor)
    let tag = YAMLLocator.string(scalar.tag)
    let start = offsets[event.start_mark.index]
    let properties = YAMLProperties(
      source.bytes, start..<range.upperBound, anchor: anchor, tag: tag, mayBeNonSpecific: style == .plain)
    let range = contentRange(event, properties, style)
    if let anchor { anchoredTexts[anchor] = string }
    let coreTag = tag.flatMap { tag in Array(tag.utf8).withRawBytes { YAMLTag($0) } }
    if tree.awaitsKey {
      // `YAMLReader` ignores all other tags, too.
      let isMerge = (coreTag == .merge || (coreTag == nil && style == .plain)) && string == "<<"
      tree.add(
        LocatedTree.Key(
          text: string, range: range, start: entryStart(start + shift), anchor: anchor, isMerge: isMerge))
      return
    }
    let resolved = coreTag?.resolve(text) ?? (style == .plain ? YAMLScalar(plain: text) : .string)
    tree.add(
      LocatedValue(
        content: .scalar(Value(resolved, text: text)), style: style, range: range,
        properties: shifted(properties.range), anchor: anchor,
        tag: tag))
  }

  private mutating func alias(_ event: yaml_event_t) {
    let name = YAMLLocator.string(event.data.alias.anchor) ?? ""
    let range = offsets[event.start_mark.index] + shift..<offsets[event.end_mark.index] + shift
    if tree.awaitsKey {
      tree.add(
        LocatedTree.Key(text: anchoredTexts[name] ?? "", range: range, start: entryStart(range.lowerBound)))
    } else {
      tree.add(
        LocatedValue(
          content: .alias(name), style: .alias, range: range))
    }
  }

  private mutating func begin(_ event: yaml_event_t) {
    let isMap = event.type == YAML_MAPPING_START_EVENT
    let anchor = YAMLLocator.string(
      isMap ? event.data.mapping_start.anchor : event.data.sequence_start.anchor)
    let tag = YAMLLocator.string(isMap ? event.data.mapping_start.tag : event.data.sequence_start.tag)
    let isBlock =
      isMap
      ? event.data.mapping_start.style == YAML_BLOCK_MAPPING_STYLE
      : event.data.sequence_start.style == YAML_BLOCK_SEQUENCE_STYLE
    let start = offsets[event.start_mark.index]
    let properties = YAMLProperties(
      source.bytes, start..<range.upperBound, anchor: anchor, tag: tag, mayBeNonSpecific: false)
    let content = properties.content
    let isBracketed = content < range.upperBound && source.bytes[content] == UInt8(ascii: isMap ? "{" : "[")
    tree.begin(
      LocatedTree.Collection(
        isMap: isMap, style: isBlock ? .block : isBracketed ? .flow : .pair, start: content + shift,
        properties: shifted(properties.range),
        anchor: anchor, tag: tag))
  }

  private func contentRange(_ event: yaml_event_t, _ properties: YAMLProperties, _ style: LocatedValue.Style)
    -> Range<Int>
  {
    var end = offsets[event.end_mark.index]
    let start: Int
    if event.data.scalar.length == 0, style == .plain {
      // A null that is not written. If the `:` is missing, too, libyaml places it before the next
      // token, which may be many lines later.
      start = properties.range?.upperBound ?? unwrittenStart(end)
      end = start
    } else {
      start = min(properties.content, end)
      if style == .literal || style == .folded { end = blockEnd(start, end) }
    }
    return start + shift..<end + shift
  }

  private func unwrittenStart(_ mark: Int) -> Int {
    guard let keyEnd = tree.keyEnd.map({ $0 - shift }), keyEnd < mark,
      !source.bytes[keyEnd..<mark].contains(UInt8(ascii: ":"))
    else {
      return mark
    }
    return keyEnd
  }

  /// Returns the end of a block scalar without line breaks; with `|+`, without the last one.
  private func blockEnd(_ start: Int, _ end: Int) -> Int {
    let headerEnd = source.bytes[start..<end].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? end
    let header = source.bytes[start..<headerEnd].prefix { $0 != 0x20 && $0 != 0x09 }
    var last = end
    if header.contains(UInt8(ascii: "+")) {
      if last > headerEnd, source.bytes[last - 1] == 0x0A { last -= 1 }
      if last > headerEnd, source.bytes[last - 1] == 0x0D { last -= 1 }
      return last
    }
    while last > headerEnd, [0x0A, 0x0D, 0x20, 0x09].contains(source.bytes[last - 1]) { last -= 1 }
    // Spaces at the end of the last line are part of it.
    while last < end, source.bytes[last] == 0x20 || source.bytes[last] == 0x09 { last += 1 }
    return last
  }

  /// Returns the start of an entry: its key, or the `?` before it.
  private func entryStart(_ key: Int) -> Int {
    var index = key - shift
    while index > range.lowerBound, source.bytes[index - 1] == 0x20 || source.bytes[index - 1] == 0x09 {
      index -= 1
    }
    let isExplicit =
      index > range.lowerBound && index < key - shift && source.bytes[index - 1] == "?"
    return isExplicit ? index - 1 + shift : key
  }

  private func shifted(_ range: Range<Int>?) -> Range<Int>? {
    range.map { $0.lowerBound + shift..<$0.upperBound + shift }
  }

  private static func string(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    text.map { String(cString: $0) }
  }

  private static func style(_ style: yaml_scalar_style_t) -> LocatedValue.Style {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE: .literal
    case YAML_FOLDED_SCALAR_STYLE: .folded
    default: .plain
    }
  }
}

/// Converts character numbers, which libyaml counts, to byte offsets in constant time: one pass records
/// every 64th character, and nothing for ASCII text.
private struct CharacterOffsets {
  private let source: SourceText
  private let range: Range<Int>
  private var offsets: [Int] = []

  init(_ source: SourceText, _ range: Range<Int>) {
    self.source = source
    self.range = range
    guard !source.utf8.isASCII else { return }
    var count = 0
    for offset in range where !source.bytes[offset].isUTF8Continuation {
      if count.isMultiple(of: 64) { offsets.append(offset) }
      count += 1
    }
  }

  /// The byte offset of a character, or the end of the range if there are fewer characters.
  subscript(character: Int) -> Int {
    guard !source.utf8.isASCII else { return min(range.lowerBound + character, range.upperBound) }
    guard character / 64 < offsets.count else { return range.upperBound }
    return min(source.offset(ofCharacter: character % 64, from: offsets[character / 64]), range.upperBound)
  }
}

/// Finds the bytes of the anchor and the tag before a node. libyaml reports only one range for all three.
private struct YAMLProperties {
  private(set) var range: Range<Int>?
  /// The start of the node itself, after spaces, line breaks and comments.
  private(set) var content: Int

  /// Scans the beginning of a node, a range that begins with the properties. There may be a `!` alone, a
  /// tag that libyaml does not report.
  init(
    _ bytes: UnsafeRawBufferPointer, _ node: Range<Int>, anchor: String?, tag: String?, mayBeNonSpecific: Bool
  ) {
    var hasAnchor = anchor != nil
    var hasTag = tag != nil || mayBeNonSpecific
    content = node.lowerBound
    while content < node.upperBound {
      let first = bytes[content]
      let end: Int
      if first == "&", hasAnchor {
        hasAnchor = false
        end = YAMLProperties.end(bytes, content..<node.upperBound, isVerbatim: false)
      } else if first == "!", hasTag {
        hasTag = false
        end = YAMLProperties.end(
          bytes, content..<node.upperBound,
          isVerbatim: content + 1 < node.upperBound && bytes[content + 1] == "<")
      } else {
        return
      }
      range = node.lowerBound..<end
      content = YAMLProperties.skipBlanks(bytes, end..<node.upperBound)
    }
  }

  private static func end(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, isVerbatim: Bool) -> Int {
    range.first { index in
      switch bytes[index] {
      case 0x20, 0x09: true
      case ",", "[", "]", "{", "}":
        !isVerbatim
      default: bytes.breakLength(at: index) > 0
      }
    } ?? range.upperBound
  }

  private static func skipBlanks(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    var isComment = false
    var index = range.lowerBound
    while index < range.upperBound {
      let size = bytes.breakLength(at: index)
      if size > 0 {
        isComment = false
      } else if bytes[index] == "#" {
        isComment = true
      } else if !isComment, bytes[index] != 0x20, bytes[index] != 0x09 {
        return index
      }
      index += max(size, 1)
    }
    return range.upperBound
  }
}
