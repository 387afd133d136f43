import TerminalDevice

extension PaneView {
  /// The number of rows that a step of the wheel scrolls.
  static let wheelRows = 3

  /// Scrolls, or closes the pane, for a pane that has the focus.
  mutating func handle(_ input: TerminalInput) -> PaneResult {
    if case .mouse(.wheelUp, _, _) = input { return scrolled(.rows(-PaneView.wheelRows)) }
    if case .mouse(.wheelDown, _, _) = input { return scrolled(.rows(PaneView.wheelRows)) }
    guard case .key(let key) = input else { return .unhandled }
    if [Key(.escape), Key(.character("q"))].contains(key) { return .closed([]) }
    guard let movement = Movement(key) else { return .unhandled }
    return scrolled(movement)
  }

  private mutating func scrolled(_ movement: Movement) -> PaneResult {
    scroll(movement)
    return .handled([])
  }
}

extension PaneView.Movement {
  /// The movement of a key; nil if the key does not scroll.
  init?(_ key: Key) {
    switch (key.code, key.modifiers) {
    case (.down, []), (.character("j"), []), (.enter, []): self = .rows(1)
    case (.up, []), (.character("k"), []): self = .rows(-1)
    case (.pageDown, []), (.character(" "), []): self = .pages(1)
    case (.pageUp, []): self = .pages(-1)
    case (.character("d"), .control): self = .halves(1)
    case (.character("u"), .control): self = .halves(-1)
    case (.home, []), (.character("g"), []): self = .start
    case (.end, []), (.character("G"), []): self = .end
    default: return nil
    }
  }
}
