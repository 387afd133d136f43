public import PlainStore
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

/// How the screen starts.
public struct ScreenOptions: Sendable {
  /// True if Enter chooses items and ends the program, as in a pipeline.
  public var isFilter = false
  /// True if several items may be chosen.
  public var isMulti = false
  /// True if typing goes to the search line at once.
  public var searchesFirst = false
  /// Keys that choose items as Enter does.
  public var expected: [Key] = []
  /// The search that the list starts with.
  public var search = ""
  /// The name of the view that the list starts with; nil for all items.
  public var view: String?
  /// The name of the folder, for the title of the window.
  public var name = ""
  /// The keys of the actions.
  public var keys = KeyMap.standard
  /// Returns the mistake in a word of the line that sets fields; nil if it has none.
  public var checkWord: @Sendable (_ word: String) -> WordMistake? = { _ in nil }

  /// Creates the options of a plain screen.
  public init() {}
}
