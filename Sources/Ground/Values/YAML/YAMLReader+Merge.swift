import CLibYAML

extension YAMLReader {
  /// Adds a key. Keys are strings, even if the scalar would be a number or null as a value.
  mutating func key(
    _ text: UnsafeRawBufferPointer, isMergeKey: Bool, _ parser: borrowing YAMLParser,
    _ builder: inout PackedBuilder
  ) throws(TextError) {
    let mark = parser.event.start_mark
    frame.awaitsKey = false
    if isMergeKey && text.equals("<<") { return try beginMerge(parser, builder) }
    let range = builder.append(key: text)
    if outer.count == 1, let reservedKey, text.equals(reservedKey) {
      throw reservedKeyError(atCharacter: mark.index, parser)
    }
    let first = builder.withBytes { keys.insert(range, mark: mark.index, into: &frame.keys, of: $0) }
    if let first { throw duplicateError(text, first, parser) }
    if parser.event.type == YAML_SCALAR_EVENT, let name = parser.event.data.scalar.anchor {
      defineKey(UnsafeRawBufferPointer(cString: name), text, parser, &builder)
    }
  }

  private mutating func defineKey(
    _ name: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer, _ parser: borrowing YAMLParser,
    _ builder: inout PackedBuilder
  ) {
    let end = builder.count
    let isPlain = parser.event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE
    builder.append(isPlain ? YAMLScalar(plain: text) : .string, text: text)
    let value = builder.withBytes { anchors.setAside(UnsafeRawBufferPointer(rebasing: $0[end...])) }
    builder.truncate(to: end)
    anchors.define(name, YAMLAnchors.Location(range: value, isAside: true), text: text)
  }

  private func duplicateError(_ text: UnsafeRawBufferPointer, _ first: Int, _ parser: borrowing YAMLParser)
    -> TextError
  {
    parser.source.duplicateKeyError(
      text, at: parser.offset(of: parser.event.start_mark), first: parser.place(ofCharacter: first))
  }

  func reservedKeyError(atCharacter index: Int, _ parser: borrowing YAMLParser) -> TextError {
    parser.error(
      atCharacter: index,
      "The front matter has a key `body`, but `body` is the name of the text below it. Rename the key.")
  }
}

/// Merge keys, as defined at https://yaml.org/type/merge.html: the map's own keys win wherever they
/// are, then the earlier map of a list. Merged keys follow the map's own keys.
extension YAMLReader {
  mutating func beginMerge(_ parser: borrowing YAMLParser, _ builder: borrowing PackedBuilder)
    throws(TextError)
  {
    if frame.firstMerge < merges.count {
      let first = parser.place(ofCharacter: merges[frame.firstMerge].mark)
      throw parser.error(
        at: parser.event.start_mark,
        "The key `<<` appears twice in one map, with its first value at line \(first.line), column \(first.column). Write one `<<: [*a, *b]`."
      )
    }
    frame.awaitsMerge = true
    frame.mergeStart = builder.count
    frame.mergeAnchor = anchors.all.count
  }

  /// Adds a merge value that is written out. Its bytes go to `anchors.aside`: they are no result.
  mutating func addWrittenMerge(height: Int, _ parser: borrowing YAMLParser, _ builder: inout PackedBuilder)
    throws(TextError)
  {
    let start = frame.mergeStart
    try countExpansion(builder.count - start, parser)
    let range = builder.withBytes { anchors.setAside(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    anchors.relocate(from: frame.mergeAnchor, start, to: range.lowerBound)
    builder.truncate(to: start)
    try addMerge(YAMLAnchors.Location(range: range, isAside: true), height: height, parser, builder)
  }

  /// Records a merge for the end of the map: a key that follows in the map wins over it.
  mutating func addMerge(
    _ place: YAMLAnchors.Location, height: Int, _ parser: borrowing YAMLParser,
    _ builder: borrowing PackedBuilder
  ) throws(TextError) {
    let isMergeable = withPacked(place, builder) { YAMLReader.mapRanges($0) != nil }
    guard isMergeable else {
      throw parser.error(
        at: parser.event.start_mark,
        "The value of `<<` must be a map or a list of maps. Put quotes around << for an ordinary key.")
    }
    frame.height = max(frame.height, height - 1)
    merges.append((place, parser.event.start_mark.index))
    frame.awaitsMerge = false
    frame.awaitsKey = true
  }

  mutating func mergeAll(_ parser: borrowing YAMLParser, _ builder: inout PackedBuilder) throws(TextError) {
    guard frame.firstMerge < merges.count else { return }
    for merge in merges[frame.firstMerge...] {
      try countExpansion(merge.place.range.count, parser)
      let packed = withPacked(merge.place, builder) { Array($0) }
      try packed.withRawBytes { bytes throws(TextError) in
        for map in YAMLReader.mapRanges(bytes) ?? [] {
          try mergeEntries(of: UnsafeRawBufferPointer(rebasing: bytes[map]), merge.mark, parser, &builder)
        }
      }
    }
    merges.removeSubrange(frame.firstMerge...)
  }

  private mutating func mergeEntries(
    of map: UnsafeRawBufferPointer, _ mark: Int, _ parser: borrowing YAMLParser,
    _ builder: inout PackedBuilder
  ) throws(TextError) {
    var reader = PackedReader(map)
    reader.enter()
    while !reader.isAtEnd {
      let start = builder.count
      let key = reader.textBytes()
      if outer.count == 1, let reservedKey, key.equals(reservedKey) {
        throw reservedKeyError(atCharacter: mark, parser)
      }
      let range = builder.append(key: key)
      let isNew = builder.withBytes { keys.insert(range, mark: mark, into: &frame.keys, of: $0) } == nil
      let value = reader.position
      reader.skip()
      if isNew {
        builder.append(packed: UnsafeRawBufferPointer(rebasing: map[value..<reader.position]))
      } else {
        builder.truncate(to: start)
      }
    }
  }

  private func withPacked<Result>(
    _ place: YAMLAnchors.Location, _ builder: borrowing PackedBuilder,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    place.isAside
      ? anchors.aside.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[place.range])) }
      : builder.withBytes { body(UnsafeRawBufferPointer(rebasing: $0[place.range])) }
  }

  /// Returns the ranges of a map, or of the maps in a list; nil for any other value.
  private static func mapRanges(_ packed: UnsafeRawBufferPointer) -> [Range<Int>]? {
    if packed.first == PackedValue.Tag.map.rawValue { return [0..<packed.count] }
    guard packed.first == PackedValue.Tag.list.rawValue else { return nil }
    var ranges: [Range<Int>] = []
    var reader = PackedReader(packed)
    reader.enter()
    while !reader.isAtEnd {
      let start = reader.position
      guard packed[start] == PackedValue.Tag.map.rawValue else { return nil }
      reader.skip()
      ranges.append(start..<reader.position)
    }
    return ranges
  }
}
