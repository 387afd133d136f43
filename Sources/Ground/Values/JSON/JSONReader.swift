/// Packs one JSON text (RFC 8259). Linear.
struct JSONReader {
  let limits: ReadLimits
  private var keys = UniqueKeys()
  private var frames: [(start: Int, keys: UniqueKeys.Scope)] = []
  private var unescaped: [UInt8] = []

  init(limits: ReadLimits) {
    self.limits = limits
  }

  mutating func read(_ source: SourceText, into builder: inout PackedBuilder) throws(TextError) {
    var size = PackedBuilder.usualSize(ofText: source.bytes.count)
    while try builder.write(size, { writer throws(TextError) in try read(source, &writer) }) == nil {
      size *= 2
    }
  }

  private mutating func read(_ source: SourceText, _ writer: inout PackedWriter) throws(TextError) {
    keys.reset()
    frames.removeAll(keepingCapacity: true)
    var parser = JSONParser(source, depthLimit: limits.depth)
    while !writer.isFull {
      switch try parser.next() {
      case .beginList: frames.append((writer.begin(.list), keys.begin()))
      case .beginMap: frames.append((writer.begin(.map), keys.begin()))
      case .endList, .endMap:
        let frame = frames.removeLast()
        keys.end(frame.keys)
        writer.end(frame.start)
      case .key(let range, let hasEscapes): try key(range, hasEscapes, parser, &writer)
      case .string(let range, let hasEscapes):
        if hasEscapes {
          try parser.unescape(range, into: &unescaped)
          unescaped.withUnsafeBytes { writer.append(string: $0) }
        } else {
          writer.append(string: source.contents(ofQuoted: range))
        }
      case .number(let range):
        // Each JSON number is a number in YAML, too.
        let text = UnsafeRawBufferPointer(rebasing: source.bytes[range])
        writer.append(YAMLScalar(plain: text), text: text)
      case .bool(let flag): writer.append(flag)
      case .null: writer.appendNull()
      case .end: return
      }
    }
  }

  private mutating func key(
    _ range: Range<Int>, _ hasEscapes: Bool, _ parser: borrowing JSONParser, _ writer: inout PackedWriter
  ) throws(TextError) {
    let written: Range<Int>
    if hasEscapes {
      try parser.unescape(range, into: &unescaped)
      written = unescaped.withUnsafeBytes { writer.append(key: $0) }
    } else {
      written = writer.append(key: parser.source.contents(ofQuoted: range))
    }
    if writer.isFull { return }
    let last = frames.count - 1
    let first = keys.insert(written, mark: range.lowerBound, into: &frames[last].keys, of: writer.bytes)
    if let first {
      let key = UnsafeRawBufferPointer(rebasing: writer.bytes[written])
      throw parser.source.duplicateKeyError(key, at: range.lowerBound, first: parser.source.place(at: first))
    }
  }
}
