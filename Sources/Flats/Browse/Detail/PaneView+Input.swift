import Terminal

extension PaneView {
  /// The number of rows that a step of the wheel scrolls.
  static let wheelRows = 3

  /// Applies an input for a pane that has the focus: scrolls, or closes the pane.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - keys: The keys of the list, which scroll here.
  ///   - toggle: The action that opened the pane, and closes it; nil if none does.
  mutating func handle(_ input: TerminalInput, _ keys: KeyMap, closedBy toggle: BrowseAction? = nil)
    -> PaneResult
  {
    if let movement = Movement(wheel: input) { return scrolled(movement) }
    guard case .key(let key) = input, let action = keys[key] else { return .unhandled }
    if [.leave, .quit, toggle].contains(action) { return .closed([]) }
    guard let movement = Movement(action) else { return .unhandled }
    return scrolled(movement)
  }

  /// Scrolls by the wheel, for a pane without the focus.
  mutating func handle(wheel input: TerminalInput) -> PaneResult {
    Movement(wheel: input).map { scrolled($0) } ?? .unhandled
  }

  private mutating func scrolled(_ movement: Movement) -> PaneResult {
    scroll(movement)
    return .handled([])
  }
}

extension PaneView.Movement {
  /// The movement of an action in a pane that has the focus; nil if the action does not scroll.
  init?(_ action: BrowseAction) {
    switch action {
    case .down, .detailDown: self = .rows(1)
    case .up, .detailUp: self = .rows(-1)
    case .pageDown, .detailPageDown, .select: self = .pages(1)
    case .pageUp, .detailPageUp: self = .pages(-1)
    case .halfPageDown: self = .halves(1)
    case .halfPageUp: self = .halves(-1)
    case .first: self = .start
    case .last: self = .end
    default: return nil
    }
  }

  fileprivate init?(wheel input: TerminalInput) {
    switch input {
    case .mouse(.wheelUp, _, _): self = .rows(-PaneView.wheelRows)
    case .mouse(.wheelDown, _, _): self = .rows(PaneView.wheelRows)
    default: return nil
    }
  }
}
