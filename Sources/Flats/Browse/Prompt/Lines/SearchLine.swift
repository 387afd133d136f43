import Terminal

/// Each key filters the list. Escape restores the search that was there before, Tab keeps the new one, and
/// Enter opens the best match.
struct SearchLine: PromptPane {
  /// True if the line is always there, and unhandled keys move the list, as in fzf.
  let movesList: Bool
  private let original: String
  private var field: LineField

  /// Opens the line with the search of the list; `movesList` for `--search-first`.
  init(search: String, movesList: Bool = false) {
    original = search
    field = LineField(search)
    self.movesList = movesList
  }

  func rows(in size: ScreenSize) -> Int { 1 }

  mutating func handle(_ input: TerminalInput, _ memory: inout PromptMemory) -> PaneResult {
    let old = field.characters
    var input = input
    if case .key(let key) = input {
      switch (key.code, key.modifiers) {
      case (.escape, _): return leave(keeping: false, &memory)
      case (.enter, _), (.tab, []): return movesList ? .unhandled : leave(keeping: true, &memory)
      case (.character("k"), .control) where movesList: return .unhandled
      // The cursor moves among the matches, as in fzf; ctrl-p and ctrl-n are for the history.
      case (.up, []), (.down, []), (.pageUp, []), (.pageDown, []): return .unhandled
      case (.character("p"), .control) where !movesList: input = .key(Key(.up))
      case (.character("n"), .control) where !movesList: input = .key(Key(.down))
      default: break
      }
    }
    let history = movesList ? nil : memory.searches
    guard field.handle(input, &memory, recalling: history) else { return .unhandled }
    return .handled(field.characters == old ? [] : [.change(.search(field.text))])
  }

  private mutating func leave(keeping: Bool, _ memory: inout PromptMemory) -> PaneResult {
    memory.remember(field.text, in: \.searches)
    return .closed(keeping || field.text == original ? [] : [.change(.search(original))])
  }

  func draw(into canvas: inout Canvas, area: ScreenArea) {
    LinePrompt.draw("/", field, into: &canvas, area: area)
  }
}
