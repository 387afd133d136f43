import Store

/// The words of a line such as `rating=8 name="Ada Lovelace" tags:=["a", "b"]`.
///
/// Blanks separate words. A word or a value that begins with `"` or `'` ends at the next such sign,
/// and both are left out; a backslash keeps the sign after it. A value after `:=` is JSON, and a blank
/// within its brackets or quotes belongs to it. Backquotes hold a field's name together. The blanks
/// of `due=@today + 3d` belong to the value; `x="@today"` keeps its quotes, so that it is a string.
struct LineWords: Hashable, Sendable {
  struct Word: Hashable, Sendable {
    var text = ""
    var range: Range<Int>
    /// The place in the line of each character of the word.
    var places: [Int] = []
    /// True if a sign ends the name of the field.
    var hasSign = false
    /// True if a quote or a bracket is not closed.
    var isOpen = false

    /// Returns the place in the line of a column of the word, from 1, in Unicode scalars.
    func place(ofColumn column: Int) -> Int {
      var rest = max(column - 1, 0)
      for (character, place) in zip(text, places) {
        let count = character.unicodeScalars.count
        if rest < count { return place }
        rest -= count
      }
      return range.upperBound
    }
  }

  private(set) var words: [Word] = []
  private var characters: [Character] = []

  /// Splits the characters of a line. Linear.
  init(_ characters: [Character]) {
    _ = update(characters)
  }

  /// Reads only what follows the unchanged words, and returns their number.
  mutating func update(_ characters: [Character]) -> Int {
    // Two arrays with one buffer are equal at once.
    if characters == self.characters { return words.count }
    let same = zip(characters, self.characters).prefix { $0 == $1 }.count
    // A character directly after a word belongs to it, and the last of a moment's three parts makes
    // them one word.
    var kept = words.firstIndex { $0.range.upperBound >= same } ?? words.count
    kept = words[max(kept - 2, 0)..<kept].firstIndex { $0.text.contains("=@") } ?? kept
    words.removeSubrange(kept...)
    var reader = WordReader(characters, from: words.last?.range.upperBound ?? 0)
    while let word = reader.next() { words.append(word) }
    self.characters = characters
    return kept
  }
}

private struct WordReader {
  private let characters: [Character]
  private var index: Int
  private var word = LineWords.Word(range: 0..<0)

  init(_ characters: [Character], from start: Int) {
    self.characters = characters
    index = start
  }

  mutating func next() -> LineWords.Word? {
    while let character = current, character.isWhitespace { index += 1 }
    guard current != nil else { return nil }
    let start = index
    word = LineWords.Word(range: start..<start)
    if let quote {
      readQuoted(quote)
    } else {
      let isJSON = readName()
      if word.hasSign { if isJSON { readJSON() } else { readValue() } }
    }
    word.range = start..<index
    return word
  }

  private var current: Character? { index < characters.count ? characters[index] : nil }

  private var quote: Character? { current == "\"" || current == "'" ? current : nil }

  private mutating func keep() {
    word.text.append(characters[index])
    word.places.append(index)
    index += 1
  }

  /// Reads up to the sign, or else the end of the word. Returns true if JSON follows the sign.
  private mutating func readName() -> Bool {
    var isQuoted = false
    while let character = current, isQuoted || !character.isWhitespace {
      if character == "`" { isQuoted.toggle() }
      if character == "\\", !isQuoted, index + 1 < characters.count, !characters[index + 1].isWhitespace {
        keep()
      } else if character == "=", !isQuoted {
        let isJSON = index > word.range.lowerBound && characters[index - 1] == ":"
        keep()
        word.hasSign = true
        return isJSON
      }
      keep()
    }
    word.isOpen = isQuoted
    return false
  }

  private mutating func readValue() {
    guard let quote else {
      let end = endOfMoment
      while let character = current, index < end || !character.isWhitespace { keep() }
      return
    }
    if let close = characters[(index + 1)...].firstIndex(of: quote),
      MomentWord.isMoment(String(characters[(index + 1)..<close])),
      close + 1 == characters.count || characters[close + 1].isWhitespace
    {
      while index <= close { keep() }
      return
    }
    readQuoted(quote)
  }

  /// Reads up to the closing quote and what follows it without a blank, and leaves both quotes out.
  private mutating func readQuoted(_ quote: Character) {
    index += 1
    while let character = current, character != quote {
      if character == "\\", index + 1 < characters.count,
        characters[index + 1] == quote || characters[index + 1] == "\\"
      {
        index += 1
      }
      keep()
    }
    if current == nil { word.isOpen = true } else { index += 1 }
    while let character = current, !character.isWhitespace { keep() }
  }

  /// The end of the moment that begins here, with the blanks in it; the index if there is none.
  private var endOfMoment: Int {
    guard current == "@" else { return index }
    var end = index
    var best = index
    // Of `@today + 3d` there are three parts.
    for _ in 0..<3 {
      while end < characters.count, characters[end].isWhitespace { end += 1 }
      while end < characters.count, !characters[end].isWhitespace { end += 1 }
      if MomentWord.isMoment(String(characters[index..<end])) { best = end }
    }
    return best
  }

  private mutating func readJSON() {
    var depth = 0
    var isQuoted = false
    while let character = current, isQuoted || depth > 0 || !character.isWhitespace {
      switch character {
      case "\"": isQuoted.toggle()
      case "\\" where isQuoted && index + 1 < characters.count: keep()
      case "[", "{": depth += isQuoted ? 0 : 1
      case "]", "}": depth -= isQuoted ? 0 : 1
      default: break
      }
      keep()
    }
  }
}
