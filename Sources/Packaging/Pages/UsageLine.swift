/// A usage line of the help: `notes-watch list DIR [VIEW] [-o table|json]`.
struct UsageLine {
  private let text: String

  /// Makes a line of its text.
  init(_ text: String) {
    self.text = text
  }

  /// The line as mdoc(7) source.
  var source: String {
    var words: [String] = []
    var isGlued = true
    var rest = text.drop { $0 == " " }
    while let character = rest.first {
      if character == " " {
        rest.removeFirst()
        isGlued = false
        continue
      }
      let word: String
      if rest.hasPrefix("...") {
        word = "...\\&"
        rest.removeFirst(3)
      } else if "[]|".contains(character) {
        word = character == "[" ? "Oo" : character == "]" ? "Oc" : "|"
        rest.removeFirst()
      } else {
        let plain = rest.prefix { !" []|".contains($0) }
        let name = plain.hasSuffix("...") ? plain.dropLast(3) : plain
        rest = rest[name.endIndex...]
        word = UsageLine.source(of: String(name), isFirst: words.isEmpty)
      }
      // The macro for a closing bracket adds no space.
      if isGlued, !words.isEmpty, word != "Oc" { words.append("Ns") }
      words.append(word)
      isGlued = true
    }
    return ".\(words.joined(separator: " "))"
  }

  /// Returns a word as a macro: the program, an option, a placeholder or a command.
  private static func source(of word: String, isFirst: Bool) -> String {
    if isFirst { return "Nm \(word)" }
    if word == "-" || word == "--" { return "Cm \(MdocText.escaped(word, isCode: true))" }
    if word.hasPrefix("-") { return "Fl \(MdocText.escaped(String(word.dropFirst()), isCode: true))" }
    let isPlaceholder = word.contains { $0.isUppercase } && !word.contains { $0.isLowercase }
    return "\(isPlaceholder ? "Ar" : "Cm") \(MdocText.escaped(word, isCode: true))"
  }
}
