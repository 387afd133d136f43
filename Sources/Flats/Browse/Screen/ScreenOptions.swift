public import Terminal

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
  /// Returns the mistake in a word of the line that sets fields, such as `rating=8`: its column in
  /// the word, from 1, in Unicode scalars, and what is wrong and what to write, as sentences. Nil if
  /// it has none.
  public var checkWord: @Sendable (_ word: String) -> (column: Int, message: String)? = { _ in nil }

  /// Creates the options of a plain screen.
  public init() {}
}
