import CLibYAML

/// libyaml's event parser for a range of a text, with byte offsets and readable errors. Time is linear in the
/// text: `checkForLibYAML` rejects the texts for which libyaml is slow, and `advance` limits the work that
/// deep nesting causes.
struct YAMLParser: ~Copyable {
  let source: SourceText
  let range: Range<Int>

  // Allocated, because libyaml keeps pointers into the parser, so it must not move.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let current: UnsafeMutablePointer<yaml_event_t>
  private var nestingWork = 0

  /// libyaml checks each open flow collection for each token. Up to this depth that is cheap.
  private static let freeDepth = 16
  /// The limit of these checks: half a second. Shorter texts have less, for many files together.
  private static let maxNestingWork = 50_000_000
  private static let minNestingWork = 4_000_000
  private static let nestingWorkPerByte = 64

  private var nestingWorkLimit: Int {
    min(
      YAMLParser.maxNestingWork, max(YAMLParser.minNestingWork, range.count * YAMLParser.nestingWorkPerByte))
  }

  init(_ source: SourceText, _ range: Range<Int>) throws(TextError) {
    self.source = source
    self.range = range
    parser = .allocate(capacity: 1)
    current = .allocate(capacity: 1)
    current.initialize(to: yaml_event_t())
    guard yaml_parser_initialize(parser) == 1 else {
      parser.initialize(to: yaml_parser_t())
      throw source.error(at: range.lowerBound, YAMLParser.memorySentence)
    }
    let base = source.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    yaml_parser_set_input_string(parser, base.map { $0 + range.lowerBound }, range.count)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    try source.checkForLibYAML(range)
  }

  deinit {
    yaml_event_delete(current)
    yaml_parser_delete(parser)
    current.deallocate()
    parser.deallocate()
  }

  /// The event that `advance` read. Valid until the next `advance`.
  var event: yaml_event_t { _read { yield current.pointee } }

  /// Reads the next event. `depth` is the number of open lists and maps; libyaml may be ahead.
  mutating func advance(depth: Int) throws(TextError) {
    yaml_event_delete(current)
    guard yaml_parser_parse(parser, current) == 1 else {
      throw failure(of: parser.pointee)
    }
    nestingWork += max(0, max(depth, Int(parser.pointee.flow_level)) - YAMLParser.freeDepth)
    if nestingWork > nestingWorkLimit {
      throw error(
        at: event.start_mark,
        "The file has too many deeply nested lists and maps. Make the structure flatter.")
    }
  }

  /// At the end of the document, returns the mark of what follows; nil for nothing.
  mutating func markAfterDocument() throws(TextError) -> yaml_mark_t? {
    // libyaml has already read the next token, unless it follows `...`.
    if parser.pointee.token_available == 1, let next = parser.pointee.tokens.head {
      return next.pointee.type == YAML_STREAM_END_TOKEN ? nil : next.pointee.start_mark
    }
    try source.checkDirectives(offset(of: event.end_mark)..<range.upperBound)
    try advance(depth: 0)
    return event.type == YAML_STREAM_END_EVENT ? nil : event.start_mark
  }

  func error(at mark: yaml_mark_t, _ message: String) -> TextError { error(atCharacter: mark.index, message) }

  func error(atCharacter index: Int, _ message: String) -> TextError {
    source.error(at: offset(ofCharacter: index), message)
  }

  func place(ofCharacter index: Int) -> TextPlace { source.place(at: offset(ofCharacter: index)) }

  func offset(of mark: yaml_mark_t) -> Int { offset(ofCharacter: mark.index) }

  private func offset(ofCharacter index: Int) -> Int {
    source.offset(ofCharacter: index, from: range.lowerBound)
  }
}
