import Store
import Terminal

/// A pane in which a person types, chooses or answers: a line below the list, as wide as the screen,
/// or a box over it.
protocol PromptPane: Sendable {
  /// The columns that a box has at most, with its border; nil for a line.
  var boxColumns: Int? { get }
  /// Takes the outcome of an action, after the pane closed with that action: `unhandled` if the pane
  /// did not ask for the action, `handled` if it was refused, so that the pane opens again with the
  /// reason and with what was typed, and `closed` if nothing that was typed is useful any more.
  mutating func receive(_ outcome: ActionOutcome) -> PaneResult
  /// Records the list that was painted when the next input was pressed.
  mutating func see(_ list: ListSnapshot<Item>)
  mutating func fit(_ size: ScreenSize)
  /// Returns the number of rows that the pane needs, with its border if it is a box.
  func rows(in size: ScreenSize) -> Int
  /// - Parameter memory: What was typed before in this run, for the histories of the lines.
  mutating func handle(_ input: TerminalInput, _ memory: inout PromptMemory) -> PaneResult
  /// Places the cursor if a line in it is being edited. Depends on the state and the area alone.
  func draw(into canvas: inout Canvas, area: ScreenArea)
}

enum PaneResult {
  case unhandled
  case handled([ScreenEffect])
  case closed([ScreenEffect])
}

extension PromptPane {
  var boxColumns: Int? { nil }

  mutating func see(_ list: ListSnapshot<Item>) {}

  mutating func fit(_ size: ScreenSize) {}

  mutating func receive(_ outcome: ActionOutcome) -> PaneResult { .unhandled }
}

/// The texts that a person typed in this run. They outlive the panes.
struct PromptMemory {
  var searches: [String] = []
  var predicates: [String] = []
  var assignments: [String] = []
  /// The text that ctrl-w, ctrl-u or ctrl-k removed last, for ctrl-y.
  var killed = ""

  private static let maxCount = 100

  mutating func remember(_ text: String, in history: WritableKeyPath<PromptMemory, [String]>) {
    if text.isEmpty { return }
    self[keyPath: history].removeAll { $0.utf8.elementsEqual(text.utf8) }
    self[keyPath: history].append(text)
    if self[keyPath: history].count > PromptMemory.maxCount { self[keyPath: history].removeFirst() }
  }
}
