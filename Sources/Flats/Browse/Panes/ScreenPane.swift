import Terminal

/// A part of the screen beside or over the list: the detail, the log, help, a menu, a form.
///
/// It takes input while it has the focus, and draws itself into an area. Drawing depends on the
/// state and the area alone.
protocol ScreenPane: Sendable {
  /// Takes an input.
  mutating func handle(_ input: TerminalInput, at time: ContinuousClock.Instant) -> PaneResult

  /// Draws the pane, and places the cursor if a line in it is being edited.
  func draw(into canvas: inout Canvas, area: ScreenArea)
}

/// The result of an input in a pane.
enum PaneResult: Sendable {
  /// The input is not for the pane; the screen may use it.
  case unhandled
  /// The pane stays open.
  case handled([ScreenEffect])
  /// The pane closes.
  case closed([ScreenEffect])
}
