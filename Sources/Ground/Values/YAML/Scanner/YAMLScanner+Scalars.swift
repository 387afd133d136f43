extension YAMLScanner {
  /// A scalar that was found but not written yet.
  struct Scalar {
    var range: Range<Int>
    var style = Style.plain
    var hasEscapes = false
  }

  enum Style {
    case plain
    case singleQuoted
    case doubleQuoted
  }

  /// The limit of libyaml, which counts characters. This one counts bytes.
  private static let maxKeyLength = 1_024

  mutating func scalar(isKeyAllowed: Bool) throws(Declined) -> Scalar {
    switch byte(at: position) {
    case "\"": try doubleQuoted()
    case "'": try singleQuoted()
    default: try plain(isKeyAllowed: isKeyAllowed)
    }
  }

  private mutating func plain(isKeyAllowed: Bool) throws(Declined) -> Scalar {
    let start = position
    guard isPlainStart(byte(at: start)) else { throw Declined() }
    var end = start
    loop: while true {
      end = plainStop(from: end)
      guard end < count else { break }
      switch byte(at: end) {
      case "\n": break loop
      case "#":
        if byte(at: end - 1) == " " { break loop }
      case ":":
        if isIndicator(at: end, ":") {
          guard isKeyAllowed else { throw Declined() }
          break loop
        }
      default: throw Declined()
      }
      end += 1
    }
    position = end
    while byte(at: end - 1) == " " { end -= 1 }
    return Scalar(range: start..<end)
  }

  /// Returns the next tab, LF, `#` or `:`, or the end. Reads eight bytes at a time.
  private func plainStop(from start: Int) -> Int {
    var index = start
    while index + 8 <= count {
      let word = word(at: index)
      // The text has no other character of 0x08 to 0x0B than tab and LF.
      let stops =
        ((word & 0xFCFC_FCFC_FCFC_FCFC) ^ 0x0808_0808_0808_0808).zeroBytes
        | (word ^ 0x2323_2323_2323_2323).zeroBytes | (word ^ 0x3A3A_3A3A_3A3A_3A3A).zeroBytes
      if stops != 0 { return index + stops.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < count, !YAMLScanner.isPlainStop(byte(at: index)) { index += 1 }
    return index
  }

  private static func isPlainStop(_ byte: UInt8) -> Bool {
    byte & 0xFC == 0x08 || byte == "#" || byte == ":"
  }

  /// Returns true if a plain scalar can begin here. `-` must be followed by a character.
  func isPlainStart(_ byte: UInt8) -> Bool {
    switch byte {
    case "a"..."z", "A"..."Z", "0"..."9", 0x80...:
      true
    case "-": !isIndicator(at: position, "-")
    case "_", ".", "/", "(", "~", "<", "=", "+", "$", "^", ")", ";", "\\":
      true
    default: false
    }
  }

  private mutating func singleQuoted() throws(Declined) -> Scalar {
    let start = position + 1
    var end = start
    var hasEscapes = false
    while end < count, byte(at: end) != "\n" {
      if byte(at: end) == "'" {
        guard end + 1 < count, byte(at: end + 1) == "'" else {
          position = end + 1
          skipSpaces()
          return Scalar(range: start..<end, style: .singleQuoted, hasEscapes: hasEscapes)
        }
        hasEscapes = true
        end += 1
      }
      end += 1
    }
    throw Declined()
  }

  private mutating func doubleQuoted() throws(Declined) -> Scalar {
    let start = position + 1
    var end = start
    var hasEscapes = false
    while end < count, byte(at: end) != "\n" {
      switch byte(at: end) {
      case "\"":
        position = end + 1
        skipSpaces()
        return Scalar(range: start..<end, style: .doubleQuoted, hasEscapes: hasEscapes)
      case "\\":
        guard end + 1 < count, YAMLScanner.unescaped(byte(at: end + 1)) != nil else { throw Declined() }
        hasEscapes = true
        end += 2
      default: end += 1
      }
    }
    throw Declined()
  }

  /// Returns the character of one of the most frequent escapes in double quotes.
  private static func unescaped(_ letter: UInt8) -> UInt8? {
    switch letter {
    case "\"", "\\": letter
    case "n": 0x0A
    case "t": 0x09
    case "r": 0x0D
    default: nil
    }
  }

  /// Moves past the colon of the key that begins at `start`. Returns false if there is none. No blank has
  /// to follow if it `mayTouchValue`, as after a quoted key in braces.
  mutating func skipColon(from start: Int, mayTouchValue: Bool = false) throws(Declined) -> Bool {
    guard position < count, byte(at: position) == ":" else { return false }
    guard mayTouchValue || isIndicator(at: position, ":"), position - start <= YAMLScanner.maxKeyLength else {
      throw Declined()
    }
    position += 1
    return true
  }

  mutating func append(_ scalar: Scalar) {
    let raw = bytes(scalar.range)
    switch scalar.style {
    case .plain: writer.append(YAMLScalar(plain: raw), text: raw)
    case .singleQuoted, .doubleQuoted:
      if scalar.hasEscapes { appendUnescaped(raw, scalar.style) } else { writer.append(string: raw) }
    }
  }

  private mutating func appendUnescaped(_ raw: UnsafeRawBufferPointer, _ style: Style) {
    let start = writer.beginString()
    var index = 0
    while index < raw.count {
      var byte = raw[index]
      if style == .singleQuoted, byte == "'" {
        index += 1
      } else if style == .doubleQuoted, byte == "\\" {
        index += 1
        byte = YAMLScanner.unescaped(raw[index]) ?? byte
      }
      writer.append(byte: byte)
      index += 1
    }
    writer.endString(start)
  }

  /// Appends a key. Declines if the map has it, if it is reserved, and if it is a merge key.
  mutating func append(key: Scalar, into scope: inout UniqueKeys.Scope, isRoot: Bool) throws(Declined) {
    guard !key.hasEscapes else { throw Declined() }
    let raw = bytes(key.range)
    if key.style == .plain, raw.equals("<<") { throw Declined() }
    if isRoot, let reservedKey, raw.equals(reservedKey) { throw Declined() }
    let range = writer.append(key: raw)
    guard !writer.isFull, memory.keys.insert(range, mark: 0, into: &scope, of: writer.bytes) == nil else {
      throw Declined()
    }
  }
}
