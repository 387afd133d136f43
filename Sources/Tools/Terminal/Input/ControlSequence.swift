/// A control sequence (`ESC [ … final`) that a terminal sent.
struct ControlSequence {
  /// The byte `<`, `=`, `>` or `?` that begins the parameters; nil if none does.
  let mark: UInt8?
  /// The parameters, each with its parts; -1 where a part is empty.
  let parameters: [[Int]]
  let intermediates: [UInt8]
  let final: UInt8

  init(_ bytes: [UInt8], final: UInt8) {
    var rest = bytes[...]
    if let first = rest.first, (0x3C...0x3F).contains(first) {
      mark = first
      rest = rest.dropFirst()
    } else {
      mark = nil
    }
    let end = rest.firstIndex { (0x20...0x2F).contains($0) } ?? rest.endIndex
    intermediates = Array(rest[end...])
    parameters =
      rest[..<end].isEmpty
      ? []
      : rest[..<end].split(separator: 0x3B, omittingEmptySubsequences: false).map { parameter in
        parameter.split(separator: 0x3A, omittingEmptySubsequences: false).map(ControlSequence.number)
      }
    self.final = final
  }

  /// Returns a number of at most seven digits; -1 if there isn't one.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int {
    guard (1...7).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return -1 }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private func part(_ parameter: Int, _ part: Int = 0) -> Int? {
    guard parameter < parameters.count, part < parameters[parameter].count else { return nil }
    let number = parameters[parameter][part]
    return number < 0 ? nil : number
  }

  var isPasteBegin: Bool { mark == nil && final == UInt8(ascii: "~") && parameters == [[200]] }

  /// The place of the cursor, if the sequence reports it.
  var cursorPosition: TerminalReply? {
    guard mark == nil, parameters.count == 2, let row = part(0), let column = part(1), row > 0, column > 0
    else { return nil }
    return .cursor(CellPosition(row: row - 1, column: column - 1))
  }

  /// The input that the sequence means; nil if it is not known.
  var input: TerminalInput? {
    switch mark.map({ Unicode.Scalar($0) }) {
    case "?": privateReply.map(TerminalInput.reply)
    case "<": mouse
    case nil: plainInput
    default: nil
    }
  }

  private var privateReply: TerminalReply? {
    switch (Unicode.Scalar(final), intermediates) {
    case ("c", []): .attributes
    case ("u", []): .keyboard(part(0) ?? 0)
    case ("y", [UInt8(ascii: "$")]):
      if let mode = part(0), let state = part(1) { .mode(mode, state: state) } else { nil }
    default: nil
    }
  }

  private var plainInput: TerminalInput? {
    guard intermediates.isEmpty else { return nil }
    switch Unicode.Scalar(final) {
    case "I" where parameters.isEmpty: return .focus(true)
    case "O" where parameters.isEmpty: return .focus(false)
    case "n":
      // 0 says that the terminal works, 3 that it does not; both come after what was drawn.
      return part(0) == 0 || part(0) == 3 ? .reply(.fence) : nil
    default: return key.map(TerminalInput.key)
    }
  }

  // MARK: - Keys

  private var key: Key? {
    switch Unicode.Scalar(final) {
    case "u": unicodeKey
    case "~": part(0) == 27 ? otherKey : numberedKey([])
    case "^": numberedKey(.control)
    case "$": numberedKey(.shift)
    case "@": numberedKey([.shift, .control])
    case "Z": pressed(.tab, [.shift])
    case "a"..."d": InputParser.code(ofLetter: final - 0x20).map { Key($0, .shift) }
    default: InputParser.code(ofLetter: final).flatMap { pressed($0) }
    }
  }

  /// Returns the modifiers of the second parameter; nil for the end of a press, or with a modifier
  /// that no key of ours has.
  private func modifiers() -> Key.Modifiers? {
    guard parameters.count > 1 else { return [] }
    if part(1, 1) == 3 { return nil }
    let bits = max((part(1) ?? 1) - 1, 0)
    if bits & (8 | 16 | 32) != 0 { return nil }
    return Key.Modifiers(rawValue: UInt8(bits & 7))
  }

  private func pressed(_ code: Key.Code, _ more: Key.Modifiers = []) -> Key? {
    modifiers().map { Key(code, $0.union(more)) }
  }

  private func numberedKey(_ more: Key.Modifiers) -> Key? {
    guard let number = part(0), let code = InputParser.code(ofNumber: number) else { return nil }
    return pressed(code, more)
  }

  /// The key of kitty's keyboard protocol: `code:shifted:base ; modifiers:event ; text`.
  private var unicodeKey: Key? {
    guard let number = part(0), let modifiers = modifiers() else { return nil }
    return InputParser.key(code: number, shifted: part(0, 1), base: part(0, 2), modifiers)
  }

  /// The key of xterm's `modifyOtherKeys`: `27 ; modifiers ; code`.
  private var otherKey: Key? {
    guard let number = part(2), let modifiers = modifiers() else { return nil }
    return InputParser.key(code: number, shifted: nil, base: nil, modifiers)
  }

  // MARK: - Mouse

  private var mouse: TerminalInput? {
    guard parameters.count == 3, let button = part(0), let column = part(1), let row = part(2) else {
      return nil
    }
    guard final == UInt8(ascii: "M") || final == UInt8(ascii: "m") else { return nil }
    return InputParser.mouse(button: button, isRelease: final == UInt8(ascii: "m"), column: column, row: row)
  }
}
