extension YAMLScanner {
  /// The characters less than 64 at which a plain scalar in brackets may end, or at which the
  /// scanner declines: tab, LF, `#`, `,`, `:` and `?`.
  private static let flowStops: UInt64 = 1 << 0x09 | 1 << 0x0A | 1 << 0x23 | 1 << 0x2C | 1 << 0x3A | 1 << 0x3F
  /// The same for the other characters, less 64: `[`, `]`, `{` and `}`.
  private static let highFlowStops: UInt64 = 1 << 0x1B | 1 << 0x1D | 1 << 0x3B | 1 << 0x3D

  /// Reads a list or a map from its bracket on, in `outerDepth` block lists and maps.
  mutating func flowCollection(outerDepth: Int) throws(Declined) {
    guard outerDepth + flowDepth < depthLimit else { throw Declined() }
    let isList = byte(at: position) == "["
    let closer = UInt8(ascii: isList ? "]" : "}")
    flowDepth += 1
    position += 1
    let start = writer.begin(isList ? .list : .map)
    var scope = memory.keys.begin()
    while try skipFlowBlanks() != closer {
      if !isList { try flowKey(&scope) }
      try flowValue(outerDepth)
      let next = try skipFlowBlanks()
      if next == closer { break }
      guard next == "," else { throw Declined() }
      position += 1
    }
    position += 1
    flowDepth -= 1
    memory.keys.end(scope)
    writer.end(start)
  }

  private mutating func flowValue(_ outerDepth: Int) throws(Declined) {
    let first = byte(at: position)
    if first == "[" || first == "{" {
      return try flowCollection(outerDepth: outerDepth)
    }
    append(try flowScalar())
  }

  private mutating func flowKey(_ scope: inout UniqueKeys.Scope) throws(Declined) {
    let start = position
    let key = try flowScalar()
    guard try skipColon(from: start, mayTouchValue: key.style != .plain) else { throw Declined() }
    try append(key: key, into: &scope, isRoot: false)
    _ = try skipFlowBlanks()
  }

  private mutating func flowScalar() throws(Declined) -> Scalar {
    let first = byte(at: position)
    if first == "\"" || first == "'" { return try scalar(isKeyAllowed: true) }
    return try flowPlain()
  }

  private mutating func flowPlain() throws(Declined) -> Scalar {
    let start = position
    guard isPlainStart(byte(at: start)), byte(at: start) != "-" || isNumber(at: start) else {
      throw Declined()
    }
    var end = start
    loop: while end < count {
      let next = byte(at: end)
      let stops = next < 64 ? YAMLScanner.flowStops : YAMLScanner.highFlowStops
      if next >= 128 || stops >> UInt64(next & 63) & 1 == 0 {
        end += 1
        continue
      }
      switch next {
      case "\n", ",", "]", "}": break loop
      case "#":
        if byte(at: end - 1) == " " { break loop }
      case ":":
        guard isIndicator(at: end, ":") else { throw Declined() }
        break loop
      default: throw Declined()
      }
      end += 1
    }
    position = end
    while byte(at: end - 1) == " " { end -= 1 }
    return Scalar(range: start..<end)
  }

  private func isNumber(at index: Int) -> Bool { index + 1 < count && byte(at: index + 1) &- 0x30 < 10 }

  private mutating func skipFlowBlanks() throws(Declined) -> UInt8 {
    while position < count {
      switch byte(at: position) {
      case " ": position += 1
      case "\n":
        position += 1
        // In the first column, this could be the start or the end of a document.
        if position < count,
          byte(at: position) == "-" || byte(at: position) == "."
        {
          throw Declined()
        }
      case "#":
        guard byte(at: position - 1) == " " || byte(at: position - 1) == "\n"
        else { throw Declined() }
        skipToLineEnd()
      default: return byte(at: position)
      }
    }
    throw Declined()
  }
}
