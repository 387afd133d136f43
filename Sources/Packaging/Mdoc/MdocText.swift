/// Text as mdoc(7) source: nothing in it is read as a macro or an escape sequence.
enum MdocText {
  /// Returns text in which no character has a meaning for a formatter. It is ASCII.
  ///
  /// - Parameter isCode: True for text that people copy: quotes and dashes keep their ASCII form.
  static func escaped(_ text: String, isCode: Bool = false) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      case "'" where isCode: escaped += "\\(aq"
      case "`" where isCode: escaped += "\\(ga"
      case "^" where isCode: escaped += "\\(ha"
      case "~" where isCode: escaped += "\\(ti"
      case "-" where isCode: escaped += "\\-"
      case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      }
    }
    return escaped
  }

  /// Returns a line that a formatter does not read as a macro.
  static func protected(_ line: String) -> String { line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : line }

  /// Returns one argument of a macro.
  static func argument(_ text: String, isCode: Bool = true) -> String {
    let escaped = escaped(text, isCode: isCode).replacing("\"", with: "\\(dq")
    return escaped.contains(" ") || escaped.isEmpty || escaped.count < 4 ? "\"\(guarded(escaped))\"" : escaped
  }

  /// Returns an argument that is not read as the name of a macro or as punctuation.
  private static func guarded(_ argument: String) -> String { argument.count < 4 ? "\\&\(argument)" : argument }
}
