/// Finds characters that no output may contain, without using the code under test.
package enum TerminalSafety {
  /// Returns the forbidden characters in `output`, without line breaks and our own colours. Works
  /// on scalars, because a character can begin inside a colour and continue after it.
  package static func offenders(in output: String) -> [Unicode.Scalar] {
    var rest = Array(output.unicodeScalars)[...]
    var offenders: [Unicode.Scalar] = []
    while let scalar = rest.first {
      if let ink = inks.first(where: { rest.starts(with: $0) }) {
        rest = rest.dropFirst(ink.count)
        continue
      }
      rest = rest.dropFirst()
      if isOffensive(scalar) { offenders.append(scalar) }
    }
    return offenders
  }

  private static let inks = ["0", "1", "2", "31", "32", "33", "34"].map {
    Array("\u{1B}[\($0)m".unicodeScalars)
  }

  static func isOffensive(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case 0..<0x20, 0x7F...0x9F, 0xAD, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F,
      0xFEFF, 0xFFF9...0xFFFB:
      true
    default: scalar.properties.generalCategory == .unassigned
    }
  }
}
