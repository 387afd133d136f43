import Files
import Terminal

/// One editable line of text with a caret, in grapheme clusters. It may contain anything, as the canvas shows
/// it safely, and is bounded, so that no paste makes a key slow.
struct LineField {
  static let maxLength = 4096
  /// The maximum size in bytes: a character may have any number of marks.
  static let maxSize = 4 * maxLength

  private(set) var characters: [Character] = [] {
    didSet { columnStarts = LineField.columnStarts(of: characters) }
  }
  /// The column at which each character begins, as wide as it is shown, and the one after the last.
  private(set) var columnStarts = [0]
  private var size = 0
  private(set) var caret = 0
  /// The text that was removed last by a key that keeps it, for ctrl-y, while a key is handled.
  private var killed = ""
  /// True if the last insertion did not fit and was left out.
  private(set) var refusedInput = false

  /// The number of lines back in a history, 0 for the line that is being typed, and that line.
  private var past = (steps: 0, draft: "")

  init(_ text: String = "") {
    set(text)
  }

  var text: String { String(characters) }

  var isEmpty: Bool { characters.isEmpty }

  mutating func set(_ text: String) {
    characters = []
    caret = 0
    size = 0
    insert(text)
  }

  mutating func replace(_ range: Range<Int>, with text: String) {
    let range = range.clamped(to: 0..<characters.count)
    // A full line refuses keys at once: to make its clusters again for each one of a flood takes
    // minutes, in which no other key acts.
    refusedInput = !text.isEmpty && range.isEmpty && characters.count >= LineField.maxLength
    if refusedInput || replacePlain(range, with: text) { return }
    let before = String(characters[..<range.lowerBound])
    let after = String(characters[range.upperBound...])
    let inserted = LineField.oneLine(text)
    let newSize = before.utf8.count + inserted.utf8.count + after.utf8.count
    refusedInput = newSize > LineField.maxSize
    if refusedInput { return }
    // Marks and joiners join their neighbours, so the clusters are made again.
    let joined = Array(before + inserted + after)
    refusedInput = joined.count > LineField.maxLength
    if refusedInput { return }
    characters = joined
    size = newSize
    caret = LineField.boundary(in: joined, atOrAfter: before.utf8.count + inserted.utf8.count)
  }

  /// Replaces a range by at most one character, if nothing can join its neighbours: that is quick in a long
  /// line. Returns false if nothing was done.
  private mutating func replacePlain(_ range: Range<Int>, with text: String) -> Bool {
    let inserted = text.unicodeScalars
    guard inserted.count <= 1, inserted.allSatisfy({ (0x20..<0x7F).contains($0.value) }) else { return false }
    let neighbours = [range.lowerBound - 1, range.upperBound].filter(characters.indices.contains).map {
      characters[$0]
    }
    guard neighbours.allSatisfy(\.isASCII) else { return false }
    let newSize = size - characters[range].reduce(0) { $0 + $1.utf8.count } + inserted.count
    guard newSize <= LineField.maxSize else { return false }
    characters.replaceSubrange(range, with: text)
    size = newSize
    caret = range.lowerBound + inserted.count
    return true
  }

  /// Makes line ends spaces, and refuses a text that does not fit.
  mutating func insert(_ text: String) { replace(caret..<caret, with: text) }

  mutating func moveCaret(to place: Int) { caret = min(max(place, 0), characters.count) }

  private mutating func remove(_ range: Range<Int>, keeping: Bool = false) {
    let range = range.clamped(to: 0..<characters.count)
    if range.isEmpty { return }
    if keeping { killed = String(characters[range]) }
    replace(range, with: "")
  }

  private static func oneLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isLineEnd) else { return text }
    return String(text.map { $0.unicodeScalars.contains(where: isLineEnd) ? " " : $0 })
  }

  private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Returns the number of characters that begin before an offset in UTF-8.
  private static func boundary(in characters: [Character], atOrAfter offset: Int) -> Int {
    var begin = 0
    for (index, character) in characters.enumerated() {
      if begin >= offset { return index }
      begin += character.utf8.count
    }
    return characters.count
  }

  /// Applies an input as the line editors of shells do. The arrows recall the lines of `history`. Returns
  /// false if the input means nothing to a line, such as Enter.
  mutating func handle(
    _ input: TerminalInput, _ memory: inout PromptMemory, recalling history: [String]? = nil
  ) -> Bool {
    killed = memory.killed
    defer { memory.killed = killed }
    switch input {
    case .paste(let text): insert(text)
    case .key(Key(.up)) where history != nil: recall(1, in: history ?? [])
    case .key(Key(.down)) where history != nil: recall(-1, in: history ?? [])
    case .key(let key): return handle(key)
    default: return false
    }
    return true
  }

  /// Shows an older line of a history, or a newer one: at the end the line that was being typed.
  private mutating func recall(_ step: Int, in history: [String]) {
    let steps = past.steps + step
    guard steps >= 0, steps <= history.count else { return }
    if past.steps == 0 { past.draft = text }
    past.steps = steps
    set(steps == 0 ? past.draft : history[history.count - steps])
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

  /// The visible characters, the columns before the first of them (1 if a sign says that there is more to the
  /// left), and the column of the caret, which is always in it. The part moves by half of the columns at
  /// once, so that most keys change few cells.
  func window(columns: Int) -> (characters: Range<Int>, indent: Int, caret: Int) {
    let columns = max(columns, 1)
    let starts = columnStarts
    let end = starts[characters.count]
    guard end >= columns else {
      return (0..<characters.count, 0, starts[caret])
    }
    let step = max(columns / 2, 1)
    // One column is for the caret behind the text, one for each sign of a part that is cut.
    let room = max(columns - 3, 1)
    var first = 0
    if starts[caret] > room {
      let wanted = (starts[caret] - room + step - 1) / step * step
      first = min(starts.firstIndex { $0 >= wanted } ?? caret, caret)
    }
    var indent = first > 0 && columns > 2 ? 1 : 0
    var last = lastVisible(from: first, in: columns - indent, starts)
    // In very few columns, a wide character may need the room of those before it.
    while last < caret {
      first += 1
      indent = columns > 2 ? 1 : 0
      last = lastVisible(from: first, in: columns - indent, starts)
    }
    return (first..<last, indent, min(indent + starts[caret] - starts[first], columns - 1))
  }

  /// Draws the line into the columns of a row, and places the terminal's cursor at the caret.
  func draw(into canvas: inout Canvas, row: Int, columns: Range<Int>, style: Style = Style()) {
    if columns.isEmpty { return }
    let window = window(columns: columns.count)
    var line = StyledLine()
    if window.indent > 0 { line.append("…", .dim, on: style.paper) }
    line.append(String(characters[window.characters]), style)
    if window.characters.upperBound < characters.count { line.append("…", .dim, on: style.paper) }
    canvas.write(line, row: row, columns: columns, paper: style.paper)
    canvas.cursor = CellPosition(row: row, column: columns.lowerBound + window.caret)
  }

  /// Returns the nearest column if the place is not visible in a window of these columns.
  func column(of place: Int, columns: Int) -> Int {
    let window = window(columns: columns)
    let place = min(max(place, window.characters.lowerBound), window.characters.upperBound)
    let starts = columnStarts
    return min(window.indent + starts[place] - starts[window.characters.lowerBound], max(columns - 1, 0))
  }

  static func columnStarts(of characters: [Character]) -> [Int] {
    var starts = [0]
    starts.reserveCapacity(characters.count + 1)
    for character in characters {
      starts.append(starts[starts.count - 1] + DisplayText.width(of: String(character)))
    }
    return starts
  }

  /// Leaves room for the sign of a cut if one is needed.
  private func lastVisible(from first: Int, in columns: Int, _ starts: [Int]) -> Int {
    if starts[characters.count] - starts[first] < columns { return characters.count }
    let limit = starts[first] + columns - 1
    let end = starts.lastIndex { $0 <= limit } ?? first
    return max(min(end, characters.count), first)
  }
}
