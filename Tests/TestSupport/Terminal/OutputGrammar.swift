/// All that a program of ours may send to a terminal: a closed list. Independent of the code that
/// writes it.
package enum OutputGrammar {
  /// Returns the parts of an output that are not allowed, in words.
  package static func offenders(in output: [UInt8]) -> [String] {
    TerminalTokenizer.tokens(of: output).compactMap { offense(of: $0) }
  }

  /// Returns a description of a part that is not allowed; nil for one that is.
  static func offense(of token: TerminalToken) -> String? {
    isAllowed(token) ? nil : "\(token)"
  }

  private static func isAllowed(_ token: TerminalToken) -> Bool {
    switch token {
    case .text(let scalar): !TerminalSafety.isOffensive(scalar)
    // The screen below the prompt makes room by line feeds.
    case .control(let byte): byte == 0x0A || byte == 0x0D
    case .sequence(let sequence): isAllowed(sequence)
    case .command(let text): isAllowed(command: text)
    case .device(let bytes): isAllowed(device: bytes)
    // Ends a string that a program left open when it was stopped.
    case .stringEnd: true
    case .malformed: false
    }
  }

  private static func isAllowed(_ sequence: ControlSequence) -> Bool {
    let parameters = sequence.parameters
    switch sequence.kind {
    case "H": return parameters.count <= 2
    case "m": return areColours(parameters[...])
    case "K": return parameters.isEmpty || parameters == [0]
    case "J": return parameters.isEmpty || parameters == [2]
    case "C", "G": return parameters.count <= 1
    case "X": return parameters.count == 1
    case "L", "M": return parameters.count <= 1
    case "r": return parameters.isEmpty || parameters.count == 2 && parameters[0] < parameters[1]
    case "n": return parameters == [5] || parameters == [6]
    case "c": return parameters.isEmpty
    case "t": return parameters.count <= 3 && (parameters.first == 22 || parameters.first == 23)
    case "?h", "?l": return !parameters.isEmpty && parameters.allSatisfy(modes.contains)
    case "?$p": return parameters.count == 1 && parameters.allSatisfy(modes.contains)
    case "?u", ">u", "<u": return parameters.count <= 1
    default: return false
    }
  }

  private static let modes: Set<Int> = [7, 25, 1000, 1002, 1004, 1006, 1049, 2004, 2026, 2027]

  private static func areColours(_ parameters: ArraySlice<Int>) -> Bool {
    var rest = parameters
    while let first = rest.popFirst() {
      switch first {
      case 0...4, 7, 22...24, 27, 30...37, 39...47, 49, 90...97, 100...107: continue
      case 38, 48:
        let count = rest.first == 5 ? 2 : rest.first == 2 ? 4 : 0
        guard count > 0, rest.count >= count, rest.dropFirst().prefix(count - 1).allSatisfy({ $0 < 256 })
        else { return false }
        rest = rest.dropFirst(count)
      default: return false
      }
    }
    return true
  }

  private static func isAllowed(command: String) -> Bool {
    if command == "11;?" { return true }
    if command.hasPrefix("2;") {
      return command.unicodeScalars.allSatisfy { $0.value >= 0x20 && !TerminalSafety.isOffensive($0) }
    }
    guard command.hasPrefix("52;c;") else { return false }
    return command.dropFirst(5).utf8.allSatisfy { byte in
      Character(Unicode.Scalar(byte)).isLetter || (0x30...0x39).contains(byte)
        || [0x2B, 0x2F, 0x3D].contains(byte)
    }
  }

  /// Only what tmux hands through: again commands of this grammar, with doubled escape characters.
  private static func isAllowed(device bytes: [UInt8]) -> Bool {
    let prefix = Array("tmux;".utf8)
    guard bytes.starts(with: prefix) else { return false }
    var inner: [UInt8] = []
    var rest = bytes[prefix.count...]
    while let byte = rest.popFirst() {
      inner.append(byte)
      if byte == 0x1B, rest.popFirst() != 0x1B { return false }
    }
    let tokens = TerminalTokenizer.tokens(of: inner)
    return tokens.count == 1
      && tokens.allSatisfy { if case .command(let text) = $0 { isAllowed(command: text) } else { false } }
  }
}
