import Terminal

extension LineField {
  /// Applies an input, as the line editors of shells do.
  ///
  /// - Returns: False if the input means nothing to a line, such as Enter or an arrow upwards.
  mutating func handle(_ input: TerminalInput) -> Bool {
    switch input {
    case .paste(let text): insert(text)
    case .key(let key): return handle(key)
    default: return false
    }
    return true
  }

  mutating func showOlder(in history: [String]) {
    guard past.steps < history.count else { return }
    if past.steps == 0 { past.draft = text }
    past.steps += 1
    set(history[history.count - past.steps])
  }

  /// Shows the line of a history after the shown one, at the end the line that was being typed.
  mutating func showNewer(in history: [String]) {
    guard past.steps > 0 else { return }
    past.steps -= 1
    set(past.steps == 0 ? past.draft : history[history.count - past.steps])
  }

  private mutating func handle(_ key: Key) -> Bool {
    switch (key.code, key.modifiers) {
    case (.character(let character), []), (.character(let character), .shift): insert(String(character))
    case (.character(let character), .control): return handle(control: character)
    case (.character(let character), .alt): return handle(alt: character)
    case (.left, []): moveCaret(to: caret - 1)
    case (.right, []): moveCaret(to: caret + 1)
    case (.left, .control), (.left, .alt): moveCaret(to: wordStart)
    case (.right, .control), (.right, .alt): moveCaret(to: wordEnd)
    case (.home, []): moveCaret(to: 0)
    case (.end, []): moveCaret(to: characters.count)
    case (.backspace, []), (.backspace, .shift): remove(caret - 1..<caret)
    case (.backspace, .alt), (.backspace, .control): remove(wordStart..<caret, keeping: true)
    case (.delete, []): remove(caret..<caret + 1)
    default: return false
    }
    return true
  }

  private mutating func handle(control character: Character) -> Bool {
    switch character {
    case "a": moveCaret(to: 0)
    case "e": moveCaret(to: characters.count)
    case "b": moveCaret(to: caret - 1)
    case "f": moveCaret(to: caret + 1)
    case "d": remove(caret..<caret + 1)
    case "h": remove(caret - 1..<caret)
    case "w": remove(blankWordStart..<caret, keeping: true)
    case "u": remove(0..<caret, keeping: true)
    case "k": remove(caret..<characters.count, keeping: true)
    case "y": insert(killed)
    default: return false
    }
    return true
  }

  private mutating func handle(alt character: Character) -> Bool {
    switch character {
    case "b": moveCaret(to: wordStart)
    case "f": moveCaret(to: wordEnd)
    case "d": remove(caret..<wordEnd, keeping: true)
    default: return false
    }
    return true
  }

  /// The start of the word before the caret. A word is letters and digits.
  private var wordStart: Int { start { $0.isLetter || $0.isNumber } }

  /// The start of the run without blanks before the caret, as ctrl-w removes it.
  private var blankWordStart: Int { start { !$0.isWhitespace } }

  private var wordEnd: Int {
    let isWord = { (character: Character) in character.isLetter || character.isNumber }
    let begin = characters[caret...].firstIndex(where: isWord) ?? characters.count
    return characters[begin...].firstIndex { !isWord($0) } ?? characters.count
  }

  private func start(of isWord: (Character) -> Bool) -> Int {
    let end = characters[..<caret].lastIndex(where: isWord) ?? 0
    return characters[..<end].lastIndex { !isWord($0) }.map { $0 + 1 } ?? 0
  }
}
