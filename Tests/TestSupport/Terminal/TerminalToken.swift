/// A part of what a program sends to a terminal.
package enum TerminalToken: Hashable {
  case text(Unicode.Scalar)
  case sequence(ControlSequence)
  /// An operating system command, without its marks.
  case command(String)
  /// A device control string, without its marks.
  case device([UInt8])
  /// A control character.
  case control(UInt8)
  /// The end of a string, outside of one.
  case stringEnd
  /// Bytes that begin no part that a terminal knows.
  case malformed([UInt8])
}

/// A control sequence, such as `ESC [ ? 25 h`.
package struct ControlSequence: Hashable {
  /// `?`, `>`, `<` or `=` before the parameters; empty without one.
  package var marker = ""
  package var parameters: [Int] = []
  /// The characters between the parameters and the final one.
  package var intermediates = ""
  package var final: Character = "m"

  /// Returns a parameter; the default if it is not given or 0.
  package func parameter(_ index: Int, default fallback: Int = 1) -> Int {
    index < parameters.count && parameters[index] > 0 ? parameters[index] : fallback
  }

  /// The marker, intermediates and final character.
  package var kind: String { marker + intermediates + String(final) }

  init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
    guard let last = rest.popLast(), (0x40...0x7E).contains(last) else { return nil }
    final = Character(Unicode.Scalar(last))
    if let first = rest.first, (0x3C...0x3F).contains(first) {
      marker = String(Unicode.Scalar(rest.removeFirst()))
    }
    while let before = rest.last, (0x20...0x2F).contains(before) {
      intermediates = String(Unicode.Scalar(rest.removeLast())) + intermediates
    }
    guard rest.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x3B }) else { return nil }
    guard !rest.isEmpty else { return }
    for part in rest.split(separator: 0x3B, omittingEmptySubsequences: false) {
      guard part.count < 6 else { return nil }
      parameters.append(Int(String(decoding: part, as: UTF8.self)) ?? 0)
    }
  }
}

/// Splits output into its parts. The output may be cut anywhere.
package struct TerminalTokenizer {
  private enum State {
    case text, escape, sequence, command, device
  }

  private var state = State.text
  private var bytes: [UInt8] = []

  package init() {}

  /// True if the output so far ends within a part.
  package var isWithinToken: Bool { state != .text || !bytes.isEmpty }

  /// Returns all parts of an output, with a malformed one at the end if it ends within a part.
  package static func tokens(of output: [UInt8]) -> [TerminalToken] {
    var tokenizer = TerminalTokenizer()
    var tokens = output.compactMap { tokenizer.next($0) }
    if tokenizer.isWithinToken { tokens.append(.malformed(tokenizer.bytes)) }
    return tokens
  }

  /// Takes the next byte, and returns the part that it ends.
  package mutating func next(_ byte: UInt8) -> TerminalToken? {
    switch state {
    case .text: return nextInText(byte)
    case .escape: return nextInEscape(byte)
    case .sequence:
      bytes.append(byte)
      guard byte < 0x20 || byte >= 0x40 else { return nil }
      let done = end()
      return ControlSequence(done).map(TerminalToken.sequence) ?? .malformed(done)
    case .command: return nextInString(byte) { .command(String(decoding: $0, as: UTF8.self)) }
    case .device: return nextInString(byte) { .device($0) }
    }
  }

  private mutating func nextInText(_ byte: UInt8) -> TerminalToken? {
    if bytes.isEmpty, byte == 0x1B {
      state = .escape
      return nil
    }
    if bytes.isEmpty, byte < 0x20 || byte == 0x7F { return .control(byte) }
    bytes.append(byte)
    let length = bytes[0] < 0x80 ? 1 : bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : 2
    guard bytes.count >= length || bytes.count > 1 && byte & 0xC0 != 0x80 else { return nil }
    let done = end()
    let text = String(validating: done, as: UTF8.self)
    return text?.unicodeScalars.first.map(TerminalToken.text) ?? .malformed(done)
  }

  private mutating func nextInEscape(_ byte: UInt8) -> TerminalToken? {
    switch byte {
    case UInt8(ascii: "["): state = .sequence
    case UInt8(ascii: "]"): state = .command
    case UInt8(ascii: "P"): state = .device
    default:
      state = .text
      return byte == UInt8(ascii: "\\") ? .stringEnd : .malformed([0x1B, byte])
    }
    return nil
  }

  /// Takes a byte of a string that ends with BEL or ST. In a device control string each escape
  /// character is doubled.
  private mutating func nextInString(_ byte: UInt8, _ token: ([UInt8]) -> TerminalToken) -> TerminalToken? {
    bytes.append(byte)
    if byte == 0x07, state == .command { return token(end().dropLast()) }
    guard byte == UInt8(ascii: "\\"), bytes.count > 1, bytes[bytes.count - 2] == 0x1B else { return nil }
    let escapes = bytes.dropLast().reversed().prefix { $0 == 0x1B }.count
    if state == .device, escapes % 2 == 0 { return nil }
    return token(end().dropLast(2))
  }

  private mutating func end() -> [UInt8] {
    defer { (state, bytes) = (.text, []) }
    return bytes
  }
}
