import CLibYAML

/// Packs one YAML document, with anchors, aliases and merge keys resolved, and the types of the core schema.
///
/// An alias copies the bytes of its anchor. Linear in the text plus the bytes that aliases add, which
/// `limits` bound. Iterative, so that nesting cannot exhaust the stack.
struct YAMLReader {
  struct Root {
    enum Kind {
      case nothing
      case scalar
      case list
      case map
    }
    var kind: Kind
    var offset: Int
  }

  struct Frame {
    enum Kind {
      case document
      case list
      case map
    }
    var kind: Kind
    var start = 0
    var awaitsKey = false
    /// True if the next value belongs to the key `<<`.
    var awaitsMerge = false
    var height = 0
    var anchor: Int?
    var keys: UniqueKeys.Scope
    /// The index in `merges` of the first map that is merged into this one.
    var firstMerge = 0
    /// At the start of the value of `<<`: the length of the builder and the number of anchors.
    var mergeStart = 0
    var mergeAnchor = 0
  }

  let limits: ReadLimits
  /// A key that the root must not have, because the item uses it for something else.
  var reservedKey: StaticString?

  var keys = UniqueKeys()
  var anchors = YAMLAnchors()
  /// The values to merge into the open maps, each with the place of its `<<` in characters.
  var merges: [(place: YAMLAnchors.Location, mark: Int)] = []
  var frame: Frame
  var outer: [Frame] = []
  var expanded = 0

  var scannerMemory = YAMLScanner.Memory()
  /// Memory for a text whose line breaks are replaced.
  var normalized: [UInt8] = []
  let usesScanner: Bool

  init(limits: ReadLimits, usesScanner: Bool) {
    self.limits = limits
    self.usesScanner = usesScanner
    frame = Frame(kind: .document, keys: keys.begin())
  }

  /// Appends the value, if any. The first error in the text comes before an exceeded limit.
  mutating func read(_ source: SourceText, _ range: Range<Int>, into builder: inout PackedBuilder)
    throws(TextError) -> Root
  {
    if scan(source, range, into: &builder) { return Root(kind: .map, offset: range.lowerBound) }
    reset()
    var parser = try YAMLParser(source, range)
    var root = Root(kind: .nothing, offset: range.lowerBound)
    while true {
      try parser.advance(depth: outer.count)
      switch parser.event.type {
      case YAML_STREAM_END_EVENT: return root
      case YAML_DOCUMENT_END_EVENT:
        try checkEnd(&parser)
        return root
      case YAML_SCALAR_EVENT:
        if frame.kind == .document { root = rootScalar(parser) }
        try scalar(parser, &builder)
      case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT:
        let isList = parser.event.type == YAML_SEQUENCE_START_EVENT
        if frame.kind == .document {
          root = Root(kind: isList ? .list : .map, offset: parser.offset(of: parser.event.start_mark))
        }
        try begin(isList: isList, parser, &builder)
      case YAML_SEQUENCE_END_EVENT: try end(parser, &builder)
      case YAML_MAPPING_END_EVENT:
        try mergeAll(parser, &builder)
        try end(parser, &builder)
      case YAML_ALIAS_EVENT: try alias(parser, &builder)
      default: break
      }
    }
  }

  private mutating func reset() {
    keys.reset()
    anchors.reset()
    merges.removeAll(keepingCapacity: true)
    outer.removeAll(keepingCapacity: true)
    frame = Frame(kind: .document, keys: keys.begin())
    expanded = 0
  }

  private func checkEnd(_ parser: inout YAMLParser) throws(TextError) {
    guard let next = try parser.markAfterDocument() else { return }
    throw parser.error(
      at: next, "A second document begins here, but a file can contain only one. Move it to its own file.")
  }

  private func rootScalar(_ parser: borrowing YAMLParser) -> Root {
    let scalar = parser.event.data.scalar
    let isNothing =
      scalar.length == 0 && scalar.style == YAML_PLAIN_SCALAR_STYLE && scalar.tag == nil
      && scalar.anchor == nil
    return Root(kind: isNothing ? .nothing : .scalar, offset: parser.offset(of: parser.event.start_mark))
  }

  private mutating func scalar(_ parser: borrowing YAMLParser, _ builder: inout PackedBuilder)
    throws(TextError)
  {
    let scalar = parser.event.data.scalar
    let text = UnsafeRawBufferPointer(start: scalar.value, count: scalar.length)
    let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
    let tag = YAMLReader.coreTag(scalar.tag)
    if frame.awaitsKey {
      return try key(text, isMergeKey: isPlain && tag == nil || tag == .merge, parser, &builder)
    }
    let start = builder.count
    if let tag {
      guard let resolved = tag.resolve(text) else {
        throw parser.error(at: parser.event.start_mark, "The tag does not fit the value: \(tag.expectation).")
      }
      builder.append(resolved, text: text)
    } else if isPlain {
      builder.append(YAMLScalar(plain: text), text: text)
    } else {
      builder.append(string: text)
    }
    if let name = scalar.anchor {
      anchors.define(
        UnsafeRawBufferPointer(cString: name), YAMLAnchors.Location(range: start..<builder.count), text: text)
    }
    try finishValue(height: 0, parser, &builder)
  }

  private mutating func begin(
    isList: Bool, _ parser: borrowing YAMLParser, _ builder: inout PackedBuilder
  ) throws(TextError) {
    let event = parser.event
    guard outer.count < limits.depth else {
      throw parser.error(
        at: event.start_mark,
        "Lists and maps are nested deeper than \(limits.depth) levels here. Make the structure flatter.")
    }
    if frame.awaitsKey {
      throw parser.error(
        at: event.start_mark, "A list or a map cannot be a key. Put quotes around it to make it a string.")
    }
    let name = isList ? event.data.sequence_start.anchor : event.data.mapping_start.anchor
    if let tag = YAMLReader.coreTag(isList ? event.data.sequence_start.tag : event.data.mapping_start.tag),
      tag != (isList ? .list : .map)
    {
      throw parser.error(at: event.start_mark, "The tag does not fit the value: \(tag.expectation).")
    }
    outer.append(frame)
    let anchor = name.map { anchors.open(UnsafeRawBufferPointer(cString: $0), at: builder.count) }
    let start = builder.begin(isList ? .list : .map)
    frame = Frame(
      kind: isList ? .list : .map, start: start, awaitsKey: !isList, anchor: anchor, keys: keys.begin(),
      firstMerge: merges.count)
  }

  private mutating func end(_ parser: borrowing YAMLParser, _ builder: inout PackedBuilder) throws(TextError)
  {
    builder.end(frame.start)
    let height = frame.height + 1
    if let anchor = frame.anchor { anchors.close(anchor, at: builder.count, height: height) }
    keys.end(frame.keys)
    frame = outer.removeLast()
    try finishValue(height: height, parser, &builder)
  }

  private mutating func alias(_ parser: borrowing YAMLParser, _ builder: inout PackedBuilder)
    throws(TextError)
  {
    let mark = parser.event.start_mark
    let name = UnsafeRawBufferPointer(cString: parser.event.data.alias.anchor)
    guard let anchor = anchors.find(name) else {
      throw parser.error(
        at: mark,
        "There is no anchor &\(String(decoding: name, as: UTF8.self)) before this alias. Check the name.")
    }
    if anchor.isOpen {
      throw parser.error(at: mark, "This alias is inside the value that it refers to. Write the value out.")
    }
    if frame.awaitsKey {
      guard let text = anchor.text else {
        throw parser.error(
          at: mark, "A list or a map cannot be a key, and this alias refers to one. Write the key out.")
      }
      let copy = Array(anchors.aside[text])
      return try copy.withRawBytes { bytes throws(TextError) in
        try key(bytes, isMergeKey: false, parser, &builder)
      }
    }
    try countExpansion(anchor.place.range.count, parser)
    guard outer.count + anchor.height <= limits.depth else {
      throw parser.error(
        at: mark,
        "With the value of this alias, lists and maps are nested deeper than \(limits.depth) levels. Make the structure flatter."
      )
    }
    if frame.awaitsMerge { return try addMerge(anchor.place, height: anchor.height, parser, builder) }
    if anchor.place.isAside {
      anchors.aside.withUnsafeBytes {
        builder.append(packed: UnsafeRawBufferPointer(rebasing: $0[anchor.place.range]))
      }
    } else {
      builder.appendCopy(of: anchor.place.range)
    }
    try finishValue(height: anchor.height, parser, &builder)
  }

  private mutating func finishValue(
    height: Int, _ parser: borrowing YAMLParser, _ builder: inout PackedBuilder
  ) throws(TextError) {
    frame.height = max(frame.height, height)
    guard frame.kind == .map else { return }
    if frame.awaitsMerge { return try addWrittenMerge(height: height, parser, &builder) }
    frame.awaitsKey = true
  }

  /// Counts the bytes that aliases add, against "billion laughs".
  mutating func countExpansion(_ bytes: Int, _ parser: borrowing YAMLParser) throws(TextError) {
    expanded += bytes
    guard expanded <= limits.expandedSize else {
      var error = parser.error(
        at: parser.event.start_mark,
        "Aliases and merge keys add more than \(limits.expandedSize) bytes to this file. Use fewer of them.")
      error.isExpansion = true
      throw error
    }
  }

  private static func coreTag(_ tag: UnsafeMutablePointer<yaml_char_t>?) -> YAMLTag? {
    tag.flatMap { YAMLTag(UnsafeRawBufferPointer(cString: $0)) }
  }

  /// False if the environment says `NOTES_WATCH_SCANNER=off`. Read once.
  static let isScannerOn = getenv("NOTES_WATCH_SCANNER").map { String(cString: $0) } != "off"

  /// Appends the value in `range`, a map, to `builder` if the scanner accepts the text. Otherwise
  /// returns false, appends nothing, and libyaml has to read the text.
  mutating func scan(_ source: SourceText, _ range: Range<Int>, into builder: inout PackedBuilder) -> Bool {
    guard usesScanner, !source.utf8.hasSpecialCharacters, (try? source.checkBlankRuns(range)) != nil else {
      return false
    }
    let text = UnsafeRawBufferPointer(rebasing: source.bytes[range])
    guard source.utf8.hasCarriageReturns else { return scan(text, into: &builder) }
    guard normalize(text) else { return false }
    var copy: [UInt8] = []
    swap(&copy, &normalized)
    defer { swap(&copy, &normalized) }
    return copy.withUnsafeBytes { scan($0, into: &builder) }
  }

  private mutating func scan(_ text: UnsafeRawBufferPointer, into builder: inout PackedBuilder) -> Bool {
    let isScanned = builder.write(PackedBuilder.usualSize(ofText: text.count)) { writer in
      guard
        var scanner = YAMLScanner(
          text, depthLimit: limits.depth, reservedKey: reservedKey, writer: writer, memory: &scannerMemory)
      else { return false }
      defer { swap(&scanner.memory, &scannerMemory) }
      guard (try? scanner.scan()) != nil else { return false }
      writer = scanner.writer
      return true
    }
    return isScanned == true
  }

  /// Copies the text to `normalized` with LF for CRLF. Returns false at a CR alone.
  private mutating func normalize(_ text: UnsafeRawBufferPointer) -> Bool {
    normalized.removeAll(keepingCapacity: normalized.capacity <= YAMLReader.maxRetainedCapacity)
    normalized.reserveCapacity(text.count)
    var rest = text[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\r")) {
      guard end + 1 < text.count, text[end + 1] == "\n" else { return false }
      normalized.append(contentsOf: rest[..<end])
      rest = rest[(end + 1)...]
    }
    normalized.append(contentsOf: rest)
    return true
  }

  private static let maxRetainedCapacity = 1 << 20
}
