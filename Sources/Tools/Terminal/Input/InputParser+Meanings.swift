extension InputParser {
  static func isNumber(_ bytes: [UInt8]) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { (0x30...0x39).contains($0) }
  }

  static func key(ofASCII byte: UInt8) -> Key {
    switch byte {
    case 0x00: Key(.character(" "), .control)
    case 0x09: Key(.tab)
    case 0x0D: Key(.enter)
    case 0x1B: Key(.escape)
    case 0x7F: Key(.backspace)
    case 0x01...0x1A: Key(.character(Character(Unicode.Scalar(byte + 0x60))), .control)
    case 0x1C...0x1F: Key(.character(Character(Unicode.Scalar(byte + 0x40))), .control)
    default: Key(.character(Character(Unicode.Scalar(byte))))
    }
  }

  /// Returns the key of the final letter of `ESC [` and `ESC O` sequences.
  static func code(ofLetter letter: UInt8) -> Key.Code? {
    switch Unicode.Scalar(letter) {
    case "A": .up
    case "B": .down
    case "C": .right
    case "D": .left
    case "F": .end
    case "H": .home
    case "P"..."S": .function(Int(letter - UInt8(ascii: "P")) + 1)
    default: nil
    }
  }

  static func code(ofNumber number: Int) -> Key.Code? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23...26: .function(number - 12)
    case 28, 29: .function(number - 13)
    case 31...34: .function(number - 14)
    default: nil
    }
  }

  /// The key of a byte after `ESC O`, with a modifier number that some terminals put before it.
  static func single(_ byte: UInt8, modifiers digits: [UInt8]) -> TerminalInput? {
    let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    let modifiers = Key.Modifiers(rawValue: UInt8(max(number - 1, 0) & 7))
    if let code = code(ofLetter: byte) { return .key(Key(code, modifiers)) }
    switch Unicode.Scalar(byte) {
    case "a"..."d": return code(ofLetter: byte - 0x20).map { .key(Key($0, .control)) }
    case "M": return .key(Key(.enter, modifiers))
    case "I": return .key(Key(.tab, modifiers))
    case "X": return .key(Key(.character("="), modifiers))
    // The keypad, from `*` to `9`.
    case "j"..."y":
      return .key(Key(.character(Character(Unicode.Scalar(byte - 0x40))), modifiers.subtracting(.shift)))
    default: return nil
    }
  }

  /// Returns the key of a code of kitty's keyboard protocol; nil for a key that we don't use.
  static func key(code: Int, shifted: Int?, base: Int?, _ modifiers: Key.Modifiers) -> Key? {
    switch code {
    case 9: return Key(.tab, modifiers)
    case 13: return Key(.enter, modifiers)
    case 27: return Key(.escape, modifiers)
    case 8, 127: return Key(.backspace, modifiers)
    case 57_376...57_398: return Key(.function(code - 57_376 + 13), modifiers)
    case 57_399...57_408: return character(0x30 + code - 57_399, modifiers)
    case 57_409...57_416: return keypad(code, modifiers)
    case 57_417...57_426:
      let codes: [Key.Code] = [.left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .insert, .delete]
      return Key(codes[code - 57_417], modifiers)
    // The rest of the private area: keys of media, and modifiers alone.
    case 57_344...63_743: return nil
    default: return characterKey(code, shifted: shifted, base: base, modifiers)
    }
  }

  private static func keypad(_ code: Int, _ modifiers: Key.Modifiers) -> Key? {
    if code == 57_414 { return Key(.enter, modifiers) }
    let characters: [Int: Int] = [
      57_409: 0x2E, 57_410: 0x2F, 57_411: 0x2A, 57_412: 0x2D, 57_413: 0x2B, 57_415: 0x3D, 57_416: 0x2C,
    ]
    return characters[code].flatMap { character($0, modifiers) }
  }

  /// Returns the press of a character. With Control or Alt, a key of another script is the one at
  /// its place on a Latin keyboard.
  private static func characterKey(_ code: Int, shifted: Int?, base: Int?, _ modifiers: Key.Modifiers) -> Key?
  {
    var code = code
    if let base, code > 0x7F, !modifiers.isDisjoint(with: [.control, .alt]) {
      code = base
    } else if modifiers.contains(.shift), let shifted {
      code = shifted
    }
    return character(code, modifiers)
  }

  private static func character(_ code: Int, _ modifiers: Key.Modifiers) -> Key? {
    guard let value = UInt32(exactly: code), let scalar = Unicode.Scalar(value) else { return nil }
    if value < 0x20 || (0x7F..<0xA0).contains(value) { return nil }
    var character = Character(scalar)
    if modifiers.contains(.control) {
      character = Key.lowercased(character)
    } else if modifiers.contains(.shift), let upper = String(character).uppercased().first,
      String(character).uppercased().count == 1
    {
      character = upper
    }
    let key = Key(.character(character), modifiers.subtracting(.shift))
    return Key.equals[key] ?? key
  }

  // MARK: - Mouse and replies

  /// Returns the meaning of a mouse report: the left button or the wheel. Others are ignored.
  static func mouse(button: Int, isRelease: Bool, column: Int, row: Int) -> TerminalInput? {
    guard column > 0, row > 0 else { return nil }
    var modifiers: Key.Modifiers = []
    if button & 4 != 0 { modifiers.insert(.shift) }
    if button & 8 != 0 { modifiers.insert(.alt) }
    if button & 16 != 0 { modifiers.insert(.control) }
    let action: MouseAction? =
      switch button & ~0b11100 {
      case 0: isRelease ? .release : .press
      case 32: .drag
      case 64: isRelease ? nil : .wheelUp
      case 65: isRelease ? nil : .wheelDown
      default: nil
      }
    return action.map { .mouse($0, CellPosition(row: row - 1, column: column - 1), modifiers) }
  }

  /// Reads a report of the oldest form: three bytes, with one code for the release of any button.
  static func oldMouse(_ bytes: [UInt8]) -> TerminalInput? {
    guard bytes.count == 3, bytes.allSatisfy({ $0 >= 32 }) else { return nil }
    let button = Int(bytes[0]) - 32
    let isRelease = button & 0b1100_0011 == 3
    return mouse(
      button: isRelease ? button & ~3 : button, isRelease: isRelease, column: Int(bytes[1]) - 32,
      row: Int(bytes[2]) - 32)
  }

  /// Returns the reply in a string: only the background colour is known (`11;rgb:ffff/ffff/ffff`).
  static func reply(string: [UInt8], _ first: UInt8) -> TerminalInput? {
    let prefix = Array("11;rgb".utf8)
    guard first == UInt8(ascii: "]"), string.starts(with: prefix),
      let colon = string.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    let parts = string[(colon + 1)...].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let colors = parts.compactMap(fraction)
    guard colors.count == parts.count, (3...4).contains(colors.count) else { return nil }
    return .reply(.background(red: colors[0], green: colors[1], blue: colors[2]))
  }

  /// Returns one to four hexadecimal digits as a part of their highest number.
  private static func fraction(_ digits: ArraySlice<UInt8>) -> Double? {
    guard (1...4).contains(digits.count), let value = Int(String(decoding: digits, as: UTF8.self), radix: 16),
      value >= 0
    else {
      return nil
    }
    return Double(value) / Double(1 << (4 * digits.count) - 1)
  }
}
