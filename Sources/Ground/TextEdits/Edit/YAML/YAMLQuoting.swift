/// Writes strings and keys in quotes.
package enum YAMLQuoting {
  /// Writes a string in single quotes. Returns nil if they cannot contain it.
  static func single(_ text: String) -> String? {
    guard text.unicodeScalars.allSatisfy({ $0 != "\t" && PlainScalar.isPrintable($0) }) else { return nil }
    var quoted = "'"
    for scalar in text.unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == "'" { quoted += "'" }
    }
    return quoted + "'"
  }

  /// Writes any string in double quotes, on one line.
  package static func double(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where PlainScalar.isPrintable(scalar): quoted.unicodeScalars.append(scalar)
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

  /// Writes a string in the given quotes, or in double quotes if single quotes cannot contain it.
  static func quoted(_ text: String, _ quote: Unicode.Scalar) -> String {
    quote == "'" ? single(text) ?? double(text) : double(text)
  }
}
