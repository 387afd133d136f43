import PlainStore
import TerminalDevice

/// The panes that the screen starts with, and those that actions open.
extension Screen {
  /// Creates the panes that exist from the start.
  mutating func startPanes() {}

  /// Opens the line, menu, question or form of an action, or does it at once.
  mutating func open(_ action: BrowseAction, _ frame: PaintedFrame?) -> [ScreenEffect] {
    switch action {
    case .edit:
      let items = targets(in: frame)
      return items.isEmpty ? [] : [.act(.edit(items))]
    case .undo: return [.act(.undo)]
    default: return []
    }
  }

  /// Returns the pane that shows the difference because of which an action was refused.
  func differencePane(_ outcome: ActionOutcome) -> (any ScreenPane)? { nil }

  /// Returns what a pane may need when it opens.
  mutating func context(in frame: PaintedFrame?) -> PaneContext {
    let current = frame.flatMap { frame in frames.meantRow(in: frame).flatMap { frame.list?[id: $0] } }
    return PaneContext(
      targets: targets(in: frame), current: current, snapshot: area.shown, settings: report?.settings ?? Settings(),
      columns: area.columns.paths)
  }
}
