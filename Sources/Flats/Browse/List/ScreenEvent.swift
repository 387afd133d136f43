public import Store
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

/// An effect that the screen asks for.
public enum ScreenEffect: Sendable {
  /// Change the request of the list.
  case change(RequestChange)
  /// Read the file of an item.
  case load(Item.ID)
  /// Do this with items.
  case act(ItemAction)
  /// Send a text to the clipboard of the terminal.
  case copy(String)
  /// Set the title of the window.
  case title(String)
  /// Draw everything again, as the terminal may show something else.
  case redraw
  /// Stop the process group, as Ctrl-Z does.
  case suspend
  /// End the program.
  case quit(BrowseEnd)
}

/// How the person ended the program.
public enum BrowseEnd: Sendable, Hashable {
  /// These items were chosen, with this key.
  case chosen([Item.ID], Key)
  /// Nothing was chosen.
  case nothing
  /// Ctrl-C was pressed.
  case interrupted
}
