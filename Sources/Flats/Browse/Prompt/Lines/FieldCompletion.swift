import Terminal

/// The completion of a field's name in a line, by Tab.
struct FieldCompletion: Hashable, Sendable {
  /// The names that begin with what was typed.
  let names: [String]
  /// The place of the name in the line.
  private var range: Range<Int>
  /// The name that is in the line now; nil for what was typed.
  private var index: Int?

  /// Finds the names for the word at the caret.
  ///
  /// - Parameters:
  ///   - field: The line.
  ///   - names: All names, as they are written in a line.
  init(_ field: LineField, names: [String]) {
    let caret = field.caret
    let start = field.characters[..<caret].lastIndex(where: \.isWhitespace).map { $0 + 1 } ?? 0
    let typed = String(field.characters[start..<caret])
    range = start..<caret
    self.names = typed.contains("=") ? [] : names.filter { $0.lowercased().hasPrefix(typed.lowercased()) }
  }

  /// Writes the next name into the line, with a sign after it.
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

  /// The names as a line, the one that was written marked.
  var line: StyledLine {
    var line = StyledLine()
    for (position, name) in names.enumerated() {
      if position > 0 { line.append("  ", Style(.dim)) }
      line.append(position == index ? "[\(name)]" : name, Style(position == index ? .strong : .dim))
    }
    return line
  }
}
