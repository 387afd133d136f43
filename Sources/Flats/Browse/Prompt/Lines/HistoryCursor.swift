/// The place in the history of a line while a person goes through it.
struct HistoryCursor: Hashable, Sendable {
  /// The number of entries back; 0 for the line that is being typed.
  private var steps = 0
  /// The line that was being typed.
  private var draft = ""

  /// Shows the entry before the shown one.
  mutating func older(in history: LineHistory, _ field: inout LineField) {
    guard steps < history.entries.count else { return }
    if steps == 0 { draft = field.text }
    steps += 1
    field.set(history.entries[history.entries.count - steps])
  }

  /// Shows the entry after the shown one, at the end the line that was being typed.
  mutating func newer(in history: LineHistory, _ field: inout LineField) {
    guard steps > 0 else { return }
    steps -= 1
    field.set(steps == 0 ? draft : history.entries[history.entries.count - steps])
  }
}
