/// Packs one JSON text (RFC 8259). Linear.
struct JSONReader {
  private struct Frame {
    var start: Int
    var keys: UniqueKeys.Scope
  }

  let limits: ReadLimits
  private var keys = UniqueKeys()
  private var frames: [Frame] = []
  private var unescaped: [UInt8] = []

  init(limits: ReadLimits) {
    self.limits = limits
  }

  mutating func read(_ source: SourceText, into builder: inout PackedBuilder) throws(TextError) {
    keys.reset()
    frames.removeAll(keepingCapacity: true)
    var parser = JSONParser(source, depthLimit: limits.depth)
    while true {
      switch try parser.next() {
      case .beginList: frames.append(Frame(start: builder.begin(.list), keys: keys.begin()))
      case .beginMap: frames.append(Frame(start: builder.begin(.map), keys: keys.begin()))
      case .endList, .endMap:
        let frame = frames.removeLast()
        keys.end(frame.keys)
        builder.end(frame.start)
      case .key(let range, let hasEscapes): try key(range, hasEscapes, source, &builder)
      case .string(let range, let hasEscapes):
        if hasEscapes {
          try JSONString.unescape(range, of: source, into: &unescaped)
          unescaped.withUnsafeBytes { builder.append(string: $0) }
        } else {
          builder.append(string: UnsafeRawBufferPointer(rebasing: source.bytes[range].dropFirst().dropLast()))
        }
      case .number(let range):
        // Each JSON number is a number in YAML, too.
        let text = UnsafeRawBufferPointer(rebasing: source.bytes[range])
        builder.append(YAMLScalar(plain: text), text: text)
      case .bool(let flag): builder.append(flag)
      case .null: builder.appendNull()
      case .end: return
      }
    }
  }

  private mutating func key(
    _ range: Range<Int>, _ hasEscapes: Bool, _ source: SourceText, _ builder: inout PackedBuilder
  ) throws(TextError) {
    let written: Range<Int>
    if hasEscapes {
      try JSONString.unescape(range, of: source, into: &unescaped)
      written = unescaped.withUnsafeBytes { builder.append(key: $0) }
    } else {
      written = builder.append(key: UnsafeRawBufferPointer(rebasing: source.bytes[range].dropFirst().dropLast()))
    }
    let last = frames.count - 1
    let first = builder.withBytes { keys.insert(written, mark: range.lowerBound, into: &frames[last].keys, of: $0) }
    if let first {
      throw builder.withBytes { bytes in
        source.duplicateKeyError(UnsafeRawBufferPointer(rebasing: bytes[written]), at: range.lowerBound, first: source.place(at: first))
      }
    }
  }
}
