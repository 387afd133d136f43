import Store
import Terminal

/// The prompt of the screen: at most one pane in which a person types, and what was typed before.
struct Prompt {
  private(set) var pane: (any PromptPane)?
  private var memory = PromptMemory()
  private var area = ScreenArea(rows: 0..<0, columns: 0..<0)
  private var submitted: [any PromptPane] = []
  /// The panes whose action was refused while another pane was open.
  private var refused: [any PromptPane] = []
  /// The number of panes that opened without a key. What was pressed before is not for them.
  private(set) var openedByItself = 0

  var isOpen: Bool { pane != nil }

  /// True if the open pane is a line whose unhandled keys move the list, as in fzf.
  var movesList: Bool { (pane as? SearchLine)?.movesList ?? false }

  mutating func open(_ pane: any PromptPane) {
    self.pane = pane
    fitPane()
  }

  /// Sets the area of the screen without the status line. Call it when the size changes.
  mutating func fit(_ area: ScreenArea) {
    self.area = area
    fitPane()
  }

  /// Gives an input to the open pane, with the list that was painted when it was pressed, if known.
  mutating func handle(_ input: TerminalInput, seeing list: ListSnapshot<Item>? = nil) -> PaneResult {
    if let list { pane?.see(list) }
    guard let input = local(input) else { return .handled([]) }
    guard let result = pane?.handle(input, &memory) else { return .unhandled }
    guard case .closed(let effects) = result else {
      fitPane()
      return result
    }
    if let pane, effects.contains(where: \.isAction) { submitted.append(pane) }
    pane = nil
    if !refused.isEmpty { reopen(refused.removeFirst()) }
    return result
  }

  /// After a refusal, the pane that asked for the action opens again as it was, once no other one is open.
  mutating func receive(_ outcome: ActionOutcome) {
    if let question = pane as? Question, question.isOutdated(by: outcome) { pane = nil }
    for index in submitted.indices {
      switch submitted[index].receive(outcome) {
      case .unhandled: continue
      case .closed: submitted.remove(at: index)
      case .handled:
        let pane = submitted.remove(at: index)
        if isOpen { refused.append(pane) } else { reopen(pane) }
      }
      return
    }
  }

  private mutating func reopen(_ pane: any PromptPane) {
    openedByItself += 1
    open(pane)
  }

  private mutating func fitPane() {
    guard let area = paneArea(in: area) else { return }
    pane?.fit(ScreenSize(columns: area.columns.count, rows: area.rows.count))
  }

  /// A place of the mouse becomes one in the pane's area; nil outside of a box, where the mouse does nothing.
  private func local(_ input: TerminalInput) -> TerminalInput? {
    guard case .mouse(let action, let place, let modifiers) = input, pane?.boxColumns != nil else {
      return input
    }
    guard let area = paneArea(in: area), area.rows.contains(place.row), area.columns.contains(place.column)
    else { return nil }
    let position = CellPosition(
      row: place.row - area.rows.lowerBound, column: place.column - area.columns.lowerBound)
    return .mouse(action, position, modifiers)
  }

  /// 0 if the pane is a box, or if none is open. The size is that of the screen with the status line.
  func rowsBelowList(in size: ScreenSize) -> Int {
    guard let pane, pane.boxColumns == nil, size.columns > 0 else { return 0 }
    return min(max(pane.rows(in: size), 1), max(size.rows - 1, min(size.rows, 1)))
  }

  /// Draws the open pane: a line into the last rows of the area, a box over the middle of it.
  func draw(into canvas: inout Canvas, area: ScreenArea) {
    guard let pane, let area = paneArea(in: area) else { return }
    pane.draw(into: &canvas, area: area)
  }

  func paneArea(in area: ScreenArea) -> ScreenArea? {
    guard let pane, !area.rows.isEmpty, !area.columns.isEmpty else { return nil }
    let size = ScreenSize(columns: area.columns.count, rows: area.rows.count)
    guard let columns = pane.boxColumns else {
      let count = min(max(pane.rows(in: size), 1), size.rows)
      return ScreenArea(rows: area.rows.upperBound - count..<area.rows.upperBound, columns: area.columns)
    }
    let width = min(columns, size.columns)
    let count = min(max(pane.rows(in: ScreenSize(columns: width, rows: size.rows)), 1), size.rows)
    let top = area.rows.lowerBound + (size.rows - count) / 2
    let left = area.columns.lowerBound + (size.columns - width) / 2
    return ScreenArea(rows: top..<top + count, columns: left..<left + width)
  }
}

extension ScreenEffect {
  var isAction: Bool { if case .act = self { true } else { false } }
}
