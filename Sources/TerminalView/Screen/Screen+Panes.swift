import PlainStore
import TerminalDevice

/// The lines, menus, questions and forms that actions open.
extension Screen {
  /// Opens the line, menu, question or form of an action, or does it at once.
  ///
  /// - Parameter frame: The frame that was painted when the key was pressed.
  mutating func open(_ action: BrowseAction, _ frame: PaintedFrame?) -> [ScreenEffect] {
    switch action {
    case .accept, .edit:
      let items = targets(in: frame)
      return items.isEmpty ? [] : [.act(.edit(items))]
    case .search: panes.prompt.open(SearchLine(search: search, movesList: options.searchesFirst))
    case .undo: return [.act(.undo)]
    default: break
    }
    return []
  }
}
