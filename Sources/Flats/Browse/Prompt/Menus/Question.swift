import Store
import Terminal

/// A question that is answered by y or n. Everything but y means no or nothing.
struct Question: PromptPane {
  private let text: String
  private let action: ItemAction
  /// The step that is taken back, as the question says; nil if the question is a different one.
  private let step: (direction: UndoDirection, summary: UndoSummary)?

  private static let answers = " (y/n)"
  private static let maxRows = 4
  private static let maxNames = 3

  init(deleting items: [PaintedItem]) {
    action = .delete(items)
    step = nil
    let names = items.prefix(Question.maxNames).map { "`\($0.id.item)`" }.joined(separator: ", ")
    let more = items.count - Question.maxNames
    text =
      items.count == 1
      ? "Delete \(names)?" : "Delete \(items.count) items: \(names)\(more > 0 ? " and \(more) more" : "")?"
  }

  init(_ direction: UndoDirection, _ summary: UndoSummary) {
    action = direction.action
    step = (direction, summary)
    text = "\(direction == .undo ? "Undo" : "Redo") \(summary.title)?"
  }

  func rows(in size: ScreenSize) -> Int { lines(columns: size.columns).count }

  /// Returns true if the undo or redo would now affect something else than the question says.
  func isOutdated(by outcome: ActionOutcome) -> Bool {
    guard let step, outcome.action != nil else { return false }
    return (step.direction == .undo ? outcome.nextUndo : outcome.nextRedo) != step.summary
  }

  mutating func handle(_ input: TerminalInput, _ memory: inout PromptMemory) -> PaneResult {
    guard case .key(let key) = input else { return .handled([]) }
    switch (key.code, key.modifiers) {
    case (.character("y"), []), (.character("Y"), []): return .closed([.act(action)])
    case (.character("n"), []), (.character("N"), []), (.character("q"), []), (.escape, _), (.enter, _):
      return .closed([])
    default: return .handled([])
    }
  }

  func draw(into canvas: inout Canvas, area: ScreenArea) {
    let lines = lines(columns: area.columns.count)
    LinePrompt.draw(lines.map { StyledLine($0, .prompt) }, into: &canvas, area: area)
    guard let last = lines.indices.last, let row = area.rows.dropFirst(last).first ?? area.rows.last else {
      return
    }
    let column = DisplayText.width(of: lines[last])
    canvas.cursor = CellPosition(
      row: row, column: min(area.columns.lowerBound + column, max(area.columns.upperBound - 1, 0)))
  }

  /// Cuts a long question in its middle, so that the answers are always shown.
  private func lines(columns: Int) -> [String] {
    let lines = LinePrompt.wrap(text + Question.answers, columns: columns)
    if lines.count <= Question.maxRows { return lines }
    return lines.prefix(Question.maxRows - 1) + ["…\(Question.answers)"]
  }
}
