import Store
import Terminal

/// The line that sets fields of items, by words as those of `set`: `rating=8 tags+=new`.
///
/// Tab completes a field's name. The value that the field has now is shown below, or the mistake at
/// its column. The items are those that were painted when the line was opened. After a refusal,
/// which shows what changed, Enter sets the fields of the refused items as they are painted then.
struct AssignLine: PromptPane {
  private var targets: [PaintedItem]
  private let values: FieldValues
  private let check: FieldWord.Check
  private var field = LineField()
  private var completion: FieldCompletion?
  private var words = LineWords([])
  /// The mistake in each word, by its place in the line; nil for a word without one. A line is drawn
  /// several times per key, so only words that changed are checked again: a long line stays quick.
  private var mistakes: [(place: Int, message: String)?] = []
  private var note = Note.hint
  private var submitted: [String]?
  /// True if the action was refused since the fields were set last.
  private var wasRefused = false
  private var refusal: String?

  private enum Note {
    case hint
    case mistake(place: Int, message: String)
    case value(name: String, text: String)
  }

  private static let sign = "= "
  private static let again = "Press Enter to set it all the same, Escape to leave."

  /// Opens the line for items as they were painted, with the fields of the list for completion.
  init(
    _ targets: [PaintedItem], _ items: [Item], fields: [FieldPath],
    check: @escaping FieldWord.Check
  ) {
    self.targets = targets
    values = FieldValues(items, fields: fields)
    self.check = check
  }

  func rows(in size: ScreenSize) -> Int { 1 + notes(columns: size.columns).count }

  mutating func handle(_ input: TerminalInput, _ memory: inout PromptMemory) -> PaneResult {
    switch input {
    case .key, .paste: refusal = nil
    default: return .unhandled
    }
    if case .key(let key) = input {
      if key == Key(.tab) || key == Key(.tab, .shift) {
        complete(backwards: key.modifiers == .shift)
        return .handled([])
      }
      switch (key.code, key.modifiers) {
      case (.escape, _):
        memory.remember(field.text, in: \.assignments)
        return .closed([])
      case (.enter, _): return submit(&memory)
      default: break
      }
    }
    let history = memory.assignments
    guard field.handle(input, &memory, recalling: history) else { return .unhandled }
    completion = nil
    updateNote()
    return .handled([])
  }

  private mutating func submit(_ memory: inout PromptMemory) -> PaneResult {
    let texts = words.words.map(\.text)
    if texts.isEmpty { return .closed([]) }
    guard mistakes.allSatisfy({ $0 == nil }) else { return .handled([]) }
    memory.remember(field.text, in: \.assignments)
    submitted = texts
    wasRefused = false
    return .closed([.act(.assign(targets, words: texts))])
  }

  mutating func receive(_ outcome: ActionOutcome) -> PaneResult {
    guard case .assign(let items, let words)? = outcome.action, words == submitted,
      items.map(\.id) == targets.map(\.id)
    else {
      return .unhandled
    }
    guard outcome.isFailure else { return .closed([]) }
    // Where it was set, `tags+=new` would append again.
    if !outcome.refused.isEmpty { targets.removeAll { !outcome.refused.contains($0.id) } }
    refusal = outcome.message
    wasRefused = true
    return .handled([])
  }

  mutating func see(_ list: ListSnapshot<Item>) {
    guard wasRefused else { return }
    targets = targets.map { target in
      list[id: target.id].map { PaintedItem(target.id, $0.revision) } ?? target
    }
  }

  private mutating func complete(backwards: Bool) {
    if completion == nil { completion = FieldCompletion(field, names: values.names) }
    completion?.advance(&field, backwards: backwards)
    updateNote()
  }

  /// The last word is not a mistake while it is being typed and has no sign yet.
  private mutating func updateNote() {
    let kept = words.update(field.characters)
    mistakes.removeSubrange(kept...)
    mistakes += words.words[kept...].map(mistake)
    let isTyped = words.words.last.map { $0.range.upperBound == field.caret && !$0.hasSign } ?? false
    if let mistake = mistakes.dropLast(isTyped ? 1 : 0).lazy.compactMap({ $0 }).first {
      note = .mistake(place: mistake.place, message: mistake.message)
    } else {
      note = noteOnWord(at: field.caret)
    }
  }

  private func mistake(in word: LineWords.Word) -> (place: Int, message: String)? {
    if word.isOpen { return (word.range.lowerBound, "A quote is not closed. Add the closing quote.") }
    return check(word.text).map { (word.place(ofColumn: $0.column), $0.message) }
  }

  /// Returns the note about the word at the caret, or the last one before it, or the first one.
  private func noteOnWord(at caret: Int) -> Note {
    let word = words.words.last { $0.range.lowerBound <= caret } ?? words.words.first
    guard let word, word.hasSign else { return .hint }
    let name = FieldValues.name(in: word.text)
    // The items are read once per name.
    if case .value(name, _) = note { return note }
    return .value(name: name, text: values.description(of: name))
  }

  func draw(into canvas: inout Canvas, area: ScreenArea) {
    LinePrompt.draw(
      AssignLine.sign, field, notes: notes(columns: area.columns.count), into: &canvas, area: area)
  }

  private func notes(columns: Int) -> [StyledLine] {
    if let refusal {
      let lines = LinePrompt.wrap("\(refusal) \(AssignLine.again)", columns: columns).map {
        StyledLine($0, .problem)
      }
      // A long reason is cut; the keys that can follow are always shown.
      return lines.count <= LinePrompt.maxNotes
        ? lines : lines.prefix(LinePrompt.maxNotes) + LinePrompt.advice(AssignLine.again, columns: columns)
    }
    if let completion, completion.names.count > 1 { return [completion.line] }
    switch note {
    case .hint: return LinePrompt.advice(hint, columns: columns)
    case .mistake(let place, let message):
      return LinePrompt.notes(
        message, at: place, of: field, after: AssignLine.sign, columns: columns)
    case .value(_, let text): return [StyledLine(text, .dim)]
    }
  }

  private var hint: String {
    "field=value for \(targets.map(\.id).inWords). Tab completes a name."
  }
}

private struct FieldCompletion {
  let names: [String]
  private var range: Range<Int>
  /// The name that is in the line now; nil for what was typed.
  private var index: Int?

  init(_ field: LineField, names: [String]) {
    let caret = field.caret
    let start = field.characters[..<caret].lastIndex(where: \.isWhitespace).map { $0 + 1 } ?? 0
    let typed = String(field.characters[start..<caret])
    range = start..<caret
    self.names = typed.contains("=") ? [] : names.filter { $0.lowercased().hasPrefix(typed.lowercased()) }
  }

  mutating func advance(_ field: inout LineField, backwards: Bool) {
    guard !names.isEmpty else { return }
    let last = names.count - 1
    let next =
      index.map { backwards ? ($0 == 0 ? last : $0 - 1) : ($0 == last ? 0 : $0 + 1) }
      ?? (backwards ? last : 0)
    index = next
    let hasSign = range.upperBound < field.characters.count && field.characters[range.upperBound] == "="
    let text = names[next] + (hasSign ? "" : "=")
    field.replace(range, with: text)
    guard !field.refusedInput else { return }
    range = range.lowerBound..<field.caret
    if hasSign { field.moveCaret(to: field.caret + 1) }
  }

  var line: StyledLine {
    var line = StyledLine()
    for (position, name) in names.enumerated() {
      if position > 0 { line.append("  ", .dim) }
      line.append(position == index ? "[\(name)]" : name, position == index ? .strong : .dim)
    }
    return line
  }
}
