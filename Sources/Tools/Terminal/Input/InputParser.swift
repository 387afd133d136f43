/// Turns the bytes of a terminal into keys, mouse actions, pasted texts and replies.
///
/// It knows the sequences of xterm, kitty's keyboard protocol, tmux, screen, the Linux console and
/// rxvt. The bytes may be divided anywhere. What it keeps is bounded: a sequence that is too long
/// or unknown is skipped. A sequence may be incomplete because its rest is still under way or
/// because Escape was pressed: after `patience`, call `flush()`.
package struct InputParser: Sendable {
  /// The most bytes of a pasted text that are kept.
  static let maxPaste = 1 << 20
  static let maxSequence = 256

  private enum State: Hashable {
    case ground, escape
    /// After `ESC O`.
    case single
    /// After `ESC [`.
    case control
    /// A sequence that is too long, or was late: the rest up to its final byte is skipped.
    case overlong
    /// After `ESC [ [`, which begins the function keys of the Linux console.
    case console
    case oldMouse
    /// After `ESC P`, `ESC X`, `ESC ]`, `ESC ^` or `ESC _`, which is the kept byte.
    case string(UInt8)
    case stringEscape(UInt8)
    case paste
  }

  /// How long the rest of an incomplete sequence is awaited.
  enum Patience {
    /// It can be the Escape key: 25 ms, more on a slow line.
    case escape
    case sequence
    /// It is a pasted text, which may be long.
    case paste
  }

  private var state = State.ground
  /// The bytes of the sequence so far, without its introduction.
  private var bytes: [UInt8] = []
  private var character: [UInt8] = []
  private var hasAlt = false
  private let prefixesAlt: Bool
  /// The number of reports of the cursor's place that were asked for. Without a question, the same
  /// bytes are the key F3 with modifiers.
  var expectedPositions = 0

  /// Creates a parser.
  ///
  /// - Parameter prefixesAlt: True if the terminal sends a second escape for Alt before a sequence,
  ///   as rxvt does. Otherwise these are the Escape key and another key.
  package init(prefixesAlt: Bool = false) {
    self.prefixesAlt = prefixesAlt
  }

  /// How long to wait for the rest of an incomplete sequence; nil if none is incomplete.
  var patience: Patience? {
    switch state {
    case .ground: character.isEmpty ? nil : .sequence
    case .escape: .escape
    case .single, .control, .string: bytes.isEmpty ? .escape : .sequence
    case .console, .oldMouse, .stringEscape: .sequence
    case .overlong: nil
    case .paste: .paste
    }
  }

  /// Returns what these bytes complete, in order.
  package mutating func parse(_ input: some Sequence<UInt8>) -> [TerminalInput] {
    var result: [TerminalInput] = []
    for byte in input { take(byte, &result) }
    return result
  }

  /// Ends an incomplete sequence: what can be keys becomes keys, a pasted text ends, and everything
  /// else is dropped. If the rest of a control sequence comes later, it is skipped: it is never
  /// read as keys.
  package mutating func flush() -> [TerminalInput] {
    if state == .control, !bytes.isEmpty {
      begin(.overlong)
      return []
    }
    return abandoned()
  }

  /// Ends an incomplete sequence because something else begins.
  private mutating func abandoned() -> [TerminalInput] {
    var result: [TerminalInput] = []
    switch state {
    case .ground: endCharacter(&result)
    case .escape: result.append(.key(Key(.escape, hasAlt ? .alt : [])))
    case .single where bytes.isEmpty: result.append(.key(Key(.character("O"), .alt)))
    case .control where bytes.isEmpty: result.append(.key(Key(.character("["), .alt)))
    case .string(let first) where bytes.isEmpty:
      result.append(.key(Key(.character(Character(Unicode.Scalar(first))), .alt)))
    case .paste: result.append(pasted())
    default: break
    }
    reset()
    return result
  }

  private mutating func reset() {
    state = .ground
    hasAlt = false
    bytes.removeAll()
    character.removeAll()
  }

  private mutating func begin(_ state: State) {
    self.state = state
    bytes.removeAll()
  }

  private mutating func keep(_ byte: UInt8) {
    if bytes.count < InputParser.maxSequence { bytes.append(byte) }
  }

  // MARK: - States

  private mutating func take(_ byte: UInt8, _ result: inout [TerminalInput]) {
    switch state {
    case .ground: takeInGround(byte, &result)
    case .escape: takeAfterEscape(byte, &result)
    case .single: takeSingle(byte, &result)
    case .control: takeControl(byte, &result)
    case .overlong:
      if !(0x20...0x3F).contains(byte) { abort(byte, isFinal: (0x40...0x7E).contains(byte), &result) }
    case .console:
      reset()
      if (0x41...0x45).contains(byte) { result.append(.key(Key(.function(Int(byte) - 0x40)))) }
    case .oldMouse:
      bytes.append(byte)
      if bytes.count == 3 { finish(InputParser.oldMouse(bytes), &result) }
    case .string(let first): takeString(byte, first, &result)
    case .stringEscape(let first): takeStringEscape(byte, first, &result)
    case .paste: takePaste(byte, &result)
    }
  }

  private mutating func finish(_ input: TerminalInput?, _ result: inout [TerminalInput]) {
    if var input {
      if hasAlt, case .key(var key) = input {
        key.modifiers.insert(.alt)
        input = .key(key)
      }
      result.append(input)
    }
    reset()
  }

  /// Drops a sequence. A byte that does not belong to it is read again.
  private mutating func abort(_ byte: UInt8, isFinal: Bool, _ result: inout [TerminalInput]) {
    if isFinal { return reset() }
    result += abandoned()
    take(byte, &result)
  }

  private mutating func takeInGround(_ byte: UInt8, _ result: inout [TerminalInput]) {
    if !character.isEmpty {
      if byte & 0xC0 == 0x80 {
        character.append(byte)
        if character.count == InputParser.length(of: character[0]) { endCharacter(&result) }
        return
      }
      endCharacter(&result)
    }
    switch byte {
    case 0x1B: begin(.escape)
    case 0x80...:
      character = [byte]
      if InputParser.length(of: byte) == 1 { endCharacter(&result) }
    default: finish(.key(InputParser.key(ofASCII: byte)), &result)
    }
  }

  /// Ends a character: its bytes may be none of UTF-8, which gives U+FFFD.
  private mutating func endCharacter(_ result: inout [TerminalInput]) {
    guard !character.isEmpty else { return }
    let scalars = String(decoding: character, as: UTF8.self).unicodeScalars
    let scalar = scalars.count == 1 ? scalars.first ?? "\u{FFFD}" : "\u{FFFD}"
    character.removeAll()
    // C1 controls aren't keys.
    finish((0x80..<0xA0).contains(scalar.value) ? nil : .key(Key(.character(Character(scalar)))), &result)
  }

  private mutating func takeAfterEscape(_ byte: UInt8, _ result: inout [TerminalInput]) {
    switch byte {
    case 0x1B:
      if prefixesAlt, !hasAlt { return hasAlt = true }
      result.append(.key(Key(.escape)))
    case 0x03:
      // Escape and Ctrl-C that were read together. As ctrl-alt-c they would not end the program.
      if hasAlt { result.append(.key(Key(.escape))) }
      result.append(.key(Key(.escape)))
      reset()
      takeInGround(byte, &result)
    case 0x5B: begin(.control)
    case 0x4F: begin(.single)
    case 0x50, 0x58, 0x5D, 0x5E, 0x5F: begin(.string(byte))
    default:
      if hasAlt { result.append(.key(Key(.escape))) }
      state = .ground
      hasAlt = true
      takeInGround(byte, &result)
    }
  }

  private mutating func takeSingle(_ byte: UInt8, _ result: inout [TerminalInput]) {
    switch byte {
    case 0x30...0x39 where bytes.count < 3: bytes.append(byte)
    case 0x40...0x7E: finish(InputParser.single(byte, modifiers: bytes), &result)
    default: abort(byte, isFinal: false, &result)
    }
  }

  private mutating func takeControl(_ byte: UInt8, _ result: inout [TerminalInput]) {
    switch byte {
    case 0x5B where bytes.isEmpty: begin(.console)
    case 0x4D where bytes.isEmpty: begin(.oldMouse)
    case 0x24 where InputParser.isNumber(bytes): endControl(byte, &result)
    case 0x20...0x3F:
      if bytes.count == InputParser.maxSequence { state = .overlong } else { bytes.append(byte) }
    case 0x40...0x7E: endControl(byte, &result)
    default: abort(byte, isFinal: false, &result)
    }
  }

  private mutating func endControl(_ final: UInt8, _ result: inout [TerminalInput]) {
    let sequence = ControlSequence(bytes, final: final)
    if sequence.isPasteBegin { return begin(.paste) }
    if final == UInt8(ascii: "R"), expectedPositions > 0, let reply = sequence.cursorPosition {
      expectedPositions -= 1
      return finish(.reply(reply), &result)
    }
    finish(sequence.input, &result)
  }

  private mutating func takeString(_ byte: UInt8, _ first: UInt8, _ result: inout [TerminalInput]) {
    switch byte {
    case 0x07: finish(InputParser.reply(string: bytes, first), &result)
    case 0x1B: state = .stringEscape(first)
    case 0x18, 0x1A: reset()
    default: keep(byte)
    }
  }

  private mutating func takeStringEscape(_ byte: UInt8, _ first: UInt8, _ result: inout [TerminalInput]) {
    if byte == 0x5C { return finish(InputParser.reply(string: bytes, first), &result) }
    // Another sequence begins; the string has no end. If it is empty, it was a key.
    state = .string(first)
    result += abandoned()
    state = .escape
    takeAfterEscape(byte, &result)
  }

  // MARK: - Pasted texts

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private mutating func takePaste(_ byte: UInt8, _ result: inout [TerminalInput]) {
    bytes.append(byte)
    if byte == 0x7E, bytes.suffix(6) == InputParser.pasteEnd[...] {
      bytes.removeLast(6)
      finish(pasted(), &result)
    } else if bytes.count >= 2 * InputParser.maxPaste {
      // The text is too long: all but its beginning is dropped, and its last bytes, which may be
      // the first ones of the sequence that ends it.
      bytes.removeSubrange(InputParser.maxPaste..<(bytes.count - 6))
    }
  }

  private func pasted() -> TerminalInput {
    var kept = bytes.prefix(InputParser.maxPaste)
    // A character that was cut is dropped.
    if bytes.count > kept.count, let start = kept.lastIndex(where: { $0 & 0xC0 != 0x80 }),
      kept.count - start < InputParser.length(of: kept[start])
    {
      kept = kept[..<start]
    }
    return .paste(String(decoding: kept, as: UTF8.self))
  }

  /// The length of a character of UTF-8 by its first byte; 1 if no character begins so.
  private static func length(of first: UInt8) -> Int {
    switch first {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }
}
