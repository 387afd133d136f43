/// Writes strings and keys of YAML. One without quotes must be read as a string by every reader of YAML 1.1
/// and 1.2, including PyYAML, Psych, go-yaml and js-yaml. The rules are a little stricter than those of each
/// reader: superfluous quotes do no harm, missing ones do.
package enum YAMLString {
  /// Returns true if every reader reads `text` without quotes as a string.
  package static func isSafe(_ text: String, inFlow: Bool) -> Bool {
    isWritable(text, inFlow: inFlow) && !isAmbiguous(text)
  }

  /// Returns true if `text` can be written without quotes, whatever type a reader infers.
  static func isWritable(_ text: String, inFlow: Bool) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last, first != 0x20, last != 0x20,
      last != ":",
      !leadingIndicators.contains(first) || beginsWithDash(text)
    else { return false }
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case ":" where inFlow, "?" where inFlow: return false
      case ",", "[", "]", "{", "}":
        if inFlow { return false }
      case " " where previous == ":": return false
      case "#" where previous == " " || inFlow: return false
      default: break
      }
      previous = byte
    }
    return text.unicodeScalars.allSatisfy { $0 != "\t" && isPrintable($0) }
  }

  /// Returns true if some reader takes `text` for a number, date, boolean, null, merge key or symbol.
  static func isAmbiguous(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let first = bytes.first else { return true }
    if bytes.count <= 5, words.contains(text.lowercased()) { return true }
    switch first {
    case "0"..."9", ".", "+", "-":
      return isNumberLike(bytes[...])
    default: return false
    }
  }

  /// Returns true for characters that editors show and every reader keeps: no controls, no line
  /// breaks, no characters that change the direction of text.
  package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x20..<0x7F, 0xA0..<0x2028, 0x202F..<0x2066, 0x206A..<0xD800, 0xE000..<0xFEFF, 0xFF00..<0xFFFE,
      0x10000...0x10FFFF:
      true
    default: false
    }
  }

  private static let words: Set<String> = [
    "y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "=", "<<", ".inf", "-.inf", "+.inf",
    ".nan",
  ]

  /// Characters that need quotes at the start. For Psych a colon begins a symbol.
  private static let leadingIndicators = Set("-?:,[]{}#&*!|>'\"%@`".utf8)

  /// Returns true for `-priority`, but not for list items and lines of dashes.
  private static func beginsWithDash(_ text: String) -> Bool {
    let start = text.utf8.prefix(2)
    return start.count == 2 && start.first == "-"
      && !" -,[]{}".utf8.contains(start[text.utf8.index(after: text.startIndex)])
  }

  /// Digits with characters of numbers, times, dates and base 60 numbers; not a version such as `1.2.3`.
  private static func isNumberLike(_ text: ArraySlice<UInt8>) -> Bool {
    let unsigned =
      text.first == "+" || text.first == "-" ? text.dropFirst() : text
    if unsigned.count > 1, unsigned.first == "0",
      "xXoObB".utf8.contains(unsigned[unsigned.startIndex + 1])
    {
      return true
    }
    if unsigned.first == ".", unsigned.count > 1,
      "iInN".utf8.contains(unsigned[unsigned.startIndex + 1])
    {
      return words.contains(String(decoding: text, as: UTF8.self).lowercased())
    }
    // Only a date with a time contains a space, and then also a colon: `8.1 - 8.4` is a string.
    if text.contains(UInt8(ascii: " ")), !text.contains(UInt8(ascii: ":")) { return false }
    guard unsigned.allSatisfy({ $0 &- 0x30 < 10 || "_,.:+- eETtZz".utf8.contains($0) }) else { return false }
    let parts = unsigned.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count < 3 || parts.contains { $0.isEmpty || !$0.allSatisfy { $0 &- 0x30 < 10 } }
  }

  static func single(_ text: String) -> String? {
    guard text.unicodeScalars.allSatisfy({ $0 != "\t" && isPrintable($0) }) else { return nil }
    var quoted = "'"
    for scalar in text.unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == "'" { quoted += "'" }
    }
    return quoted + "'"
  }

  package static func double(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where isPrintable(scalar): quoted.unicodeScalars.append(scalar)
      default: quoted += escape(scalar.value)
      }
    }
    return quoted + "\""
  }

  private static func escape(_ value: UInt32) -> String {
    let (letter, width) = value < 0x100 ? ("x", 2) : value < 0x10000 ? ("u", 4) : ("U", 8)
    let digits = String(value, radix: 16, uppercase: true)
    return "\\\(letter)" + String(repeating: "0", count: width - digits.utf8.count) + digits
  }

  static func quoted(_ text: String, _ quote: Unicode.Scalar) -> String {
    quote == "'" ? single(text) ?? double(text) : double(text)
  }
}
