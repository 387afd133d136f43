package import Store
package import Terminal

package enum ScreenEvent: Sendable {
  /// Input that arrived from the terminal while frame `frame` was on the screen.
  case input(TerminalInput, frame: Int)
  /// The canvas that `draw()` returned last was given to the terminal as the frame with this number.
  case drawn(frame: Int)
  /// The terminal shows the frame with this number.
  case painted(frame: Int)
  case resize(ScreenSize)
  /// This number of files was read, before the first list.
  case progress(read: Int)
  case list(ListReport)
  case tick
  case document(ItemDocument)
  case outcome(ActionOutcome)
}

package enum ScreenEffect: Sendable {
  case change(RequestChange)
  case load(ScreenRow)
  /// Open the file of a problem in the editor, at its line.
  case open(Problem)
  case act(ItemAction)
  case copy(String)
  case title(String)
  /// Draw everything again, as the terminal may show something else.
  case redraw
  /// Stop the process group, as Ctrl-Z does.
  case suspend
  case quit(BrowseEnd)
}

package enum BrowseEnd: Sendable, Hashable {
  /// These items were chosen, with this key.
  case chosen([Item.ID], Key)
  case nothing
  case interrupted
  /// The terminal was closed. The screen itself never ends so.
  case closed
}
