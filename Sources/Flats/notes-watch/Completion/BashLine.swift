/// A command line as bash has it while it completes a word, and the form in which bash wants words.
///
/// bash replaces only a part of the current word: what follows an open quote or a character of
/// `COMP_WORDBREAKS`, such as `=`. The function that completes has to quote this part itself.
struct BashLine {
  /// The words before the current one, without quotes. The first is the program.
  private(set) var words: [String] = []
  private(set) var current = ""
  /// The part of the current word that bash does not replace, without quotes.
  private(set) var kept = ""
  private var quote = Quote.none

  private enum Quote {
    case none, single, double, dollar
  }

  init(_ text: String, breaks: String) {
    var rest = text[...]
    var hasWord = false
    while let character = rest.popFirst() {
      switch quote {
      case .none where character == " " || character == "\t" || character == "\n":
        if hasWord { words.append(current) }
        current = ""
        kept = ""
        hasWord = false
        continue
      case .none: addUnquoted(character, &rest, breaks)
      case .single: if character == "'" { quote = .none } else { current.append(character) }
      case .double: addDoubleQuoted(character, &rest)
      case .dollar: addDollarQuoted(character, &rest)
      }
      hasWord = true
    }
    // An assignment before the command sets a variable.
    while words.count > 1, words[0].prefixMatch(of: /[A-Za-z_][A-Za-z_0-9]*=/) != nil { words.removeFirst() }
  }

  private mutating func addUnquoted(_ character: Character, _ rest: inout Substring, _ breaks: String) {
    switch character {
    case "\\": if let next = rest.popFirst() { current.append(next) }
    case "'": open(.single)
    case "\"": open(.double)
    case "$" where rest.first == "'":
      rest.removeFirst()
      open(.dollar)
    default:
      current.append(character)
      if breaks.contains(character) { kept = current }
    }
  }

  /// Begins a quoted part. If it is still open at the cursor, only what follows is replaced.
  private mutating func open(_ quote: Quote) {
    self.quote = quote
    keptBeforeQuote = kept
    kept = current
  }

  private var keptBeforeQuote = ""

  private mutating func close() {
    quote = .none
    kept = keptBeforeQuote
  }

  private mutating func addDoubleQuoted(_ character: Character, _ rest: inout Substring) {
    switch character {
    case "\"": close()
    case "\\":
      if let next = rest.first, "$`\"\\".contains(next) {
        current.append(rest.removeFirst())
      } else {
        current.append(character)
      }
    default: current.append(character)
    }
  }

  private mutating func addDollarQuoted(_ character: Character, _ rest: inout Substring) {
    switch character {
    case "'": close()
    case "\\": if let next = rest.popFirst() { current.append(next) }
    default: current.append(character)
    }
  }
}

// MARK: Quoting

extension BashLine {
  /// Nil if the candidate does not begin with the part that stays.
  func replacement(for candidate: String) -> String? {
    guard candidate.utf8.starts(with: kept.utf8) else { return nil }
    let text = String(decoding: candidate.utf8.dropFirst(kept.utf8.count), as: UTF8.self)
    return switch quote {
    case .none: BashLine.escaped(text, isWordStart: kept.isEmpty)
    case .single: BashLine.closed(text.replacing("'", with: "'\\''"), by: "'")
    case .double: BashLine.closed(BashLine.doubleQuoted(text), by: "\"")
    case .dollar: BashLine.closed(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"), by: "'")
    }
  }

  /// Readline closes the quote after a single match, unless the match ends with this quote.
  private static func closed(_ text: String, by quote: String) -> String {
    text.hasSuffix(quote) ? text + quote : text
  }

  private static func escaped(_ text: String, isWordStart: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      let isPlain =
        !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "_./,:=@%+-".unicodeScalars.contains(scalar)
        || scalar == "~" && !(isWordStart && escaped.isEmpty)
      if !isPlain { escaped.append("\\") }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }

  /// In double quotes, `!` still recalls the history, and a backslash before it stays: it goes outside.
  private static func doubleQuoted(_ text: String) -> String {
    text.reduce(into: "") { quoted, character in
      switch character {
      case "\\", "\"", "$", "`": quoted += "\\\(character)"
      case "!": quoted += "\"\\!\""
      default: quoted.append(character)
      }
    }
  }
}
