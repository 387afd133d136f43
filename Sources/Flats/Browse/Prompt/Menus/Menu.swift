import Files
import Terminal

/// A menu: choices that typing narrows, with the present one marked.
struct Menu: PromptPane {
  struct Choice {
    var title: String
    var note = ""
    var isCurrent = false
    var effects: [ScreenEffect]
  }

  private let title: String
  private let choices: [Choice]
  private let custom: @Sendable (String) -> Choice?
  private var filter = LineField()
  private var shown: [Choice]
  private var selected: Int
  private var size = ScreenSize(columns: 0, rows: 0)

  private static let hints = [
    "type to narrow, Enter chooses, Escape closes", "type, Enter chooses, Esc closes", "Enter, Esc",
  ]
  private static let maxColumns = 60
  private static let maxRows = 18

  /// Opens a menu. `custom` returns a further choice for what was typed.
  init(_ title: String, _ choices: [Choice], custom: @escaping @Sendable (String) -> Choice? = { _ in nil }) {
    self.title = title
    self.choices = choices
    self.custom = custom
    shown = choices
    selected = choices.firstIndex(where: \.isCurrent) ?? 0
  }

  var boxColumns: Int? {
    let widest =
      choices.map { DisplayText.width(of: $0.title) + DisplayText.width(of: $0.note) + 6 }.max() ?? 0
    return min(max(widest, Menu.hints[0].count + 4) + 2 * PromptBox.border, Menu.maxColumns)
  }

  func rows(in size: ScreenSize) -> Int { min(choices.count + 1 + PromptBox.border, Menu.maxRows) }

  mutating func fit(_ size: ScreenSize) { self.size = size }

  mutating func handle(_ input: TerminalInput, _ memory: inout PromptMemory) -> PaneResult {
    switch input {
    case .key(let key):
      if let movement = movement(of: key) {
        selected = min(max(selected + movement, 0), max(shown.count - 1, 0))
        return .handled([])
      }
      switch (key.code, key.modifiers) {
      case (.escape, _): return .closed([])
      case (.enter, _): return choose()
      default: return edit(input, &memory)
      }
    case .mouse(let action, let place, _): return handle(action, row: place.row)
    default: return edit(input, &memory)
    }
  }

  private mutating func edit(_ input: TerminalInput, _ memory: inout PromptMemory) -> PaneResult {
    let old = filter.characters
    guard filter.handle(input, &memory) else { return .handled([]) }
    if filter.characters != old { narrow() }
    return .handled([])
  }

  private mutating func narrow() {
    let text = filter.text.lowercased()
    let found = choices.filter { text.isEmpty || $0.title.lowercased().contains(text) }
    let isThere = choices.contains { $0.title.utf8.elementsEqual(filter.text.utf8) }
    shown = found + (isThere || text.isEmpty ? [] : [custom(filter.text)].compactMap { $0 })
    selected = text.isEmpty ? shown.firstIndex(where: \.isCurrent) ?? 0 : 0
  }

  private func choose() -> PaneResult {
    shown.indices.contains(selected) ? .closed(shown[selected].effects) : .handled([])
  }

  private func movement(of key: Key) -> Int? {
    switch (key.code, key.modifiers) {
    case (.down, []), (.tab, []), (.character("n"), .control), (.character("j"), .control): 1
    case (.up, []), (.tab, .shift), (.character("p"), .control): -1
    case (.pageDown, []): max(listRows - 1, 1)
    case (.pageUp, []): -max(listRows - 1, 1)
    default: nil
    }
  }

  private mutating func handle(_ action: MouseAction, row: Int) -> PaneResult {
    switch action {
    case .wheelDown: selected = min(selected + 1, max(shown.count - 1, 0))
    case .wheelUp: selected = max(selected - 1, 0)
    case .press:
      let row = row - (PromptBox.hasBorder(size) ? 1 : 0) - 1
      let window = PromptBox.window(shown.count, around: selected, rows: listRows)
      guard row >= 0, row < window.count else { return .handled([]) }
      selected = window.lowerBound + row
      return choose()
    default: break
    }
    return .handled([])
  }

  private var listRows: Int { max(PromptBox.content(of: size).rows - 1, 0) }

  func draw(into canvas: inout Canvas, area: ScreenArea) {
    let inner = PromptBox.draw(title, hints: Menu.hints, into: &canvas, area: area)
    guard let first = inner.rows.first, !inner.columns.isEmpty else { return }
    let paper: Style.Paper = inner == area ? .plain : .box
    let sign = inner.columns.lowerBound..<min(inner.columns.lowerBound + 2, inner.columns.upperBound)
    canvas.write(StyledLine("> ", .prompt, on: paper), row: first, columns: sign, paper: paper)
    filter.draw(
      into: &canvas, row: first, columns: sign.upperBound..<inner.columns.upperBound,
      style: Style(.plain, on: paper))
    let window = PromptBox.window(shown.count, around: selected, rows: inner.rows.count - 1)
    if shown.isEmpty, let row = inner.rows.dropFirst().first {
      canvas.write(
        StyledLine("Nothing matches.", .dim, on: paper), row: row, columns: inner.columns, paper: paper
      )
    }
    for (row, index) in zip(inner.rows.dropFirst(), window) {
      let paper = index == selected ? .cursor : paper
      canvas.write(
        line(shown[index], isSelected: index == selected, paper), row: row, columns: inner.columns,
        paper: paper)
      // The cursor of the terminal is on the choice, so that a screen reader says it.
      if index == selected { canvas.cursor = CellPosition(row: row, column: inner.columns.lowerBound) }
    }
  }

  private func line(_ choice: Choice, isSelected: Bool, _ paper: Style.Paper) -> StyledLine {
    var line = StyledLine(isSelected ? "> " : "  ", .prompt, on: paper)
    line.append(choice.isCurrent ? "* " : "  ", .strong, on: paper)
    line.append(choice.title, choice.isCurrent ? .strong : .plain, on: paper)
    if !choice.note.isEmpty { line.append("  " + choice.note, .dim, on: paper) }
    return line
  }
}
