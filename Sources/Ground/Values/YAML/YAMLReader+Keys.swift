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

  /// Stores a copy of an anchored key as a value, for aliases to it.
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
