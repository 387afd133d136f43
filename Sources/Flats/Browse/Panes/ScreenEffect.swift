public import Store
public import Terminal

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
