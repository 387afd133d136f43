public import Terminal

/// An event that the screen handles.
public enum ScreenEvent: Sendable {
  /// Input that arrived from the terminal while frame `frame` was on the screen.
  case input(TerminalInput, frame: Int)
  /// The canvas that `draw()` returned last was given to the terminal as the frame with this
  /// number.
  case drawn(frame: Int)
  /// The terminal shows the frame with this number.
  case painted(frame: Int)
  /// The window has another size.
  case resize(ScreenSize)
  /// This number of files was read, before the first list.
  case progress(read: Int)
  /// The list, the problems or the settings changed.
  case list(ListReport)
  /// Time has passed.
  case tick
  /// The file of an item, for the detail pane.
  case document(ItemDocument)
  /// The outcome of an action.
  case outcome(ActionOutcome)
  /// The capabilities that the terminal reported.
  case capabilities(TerminalCapabilities)
}
