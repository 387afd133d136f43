/// The properties of the terminal or file to which text for people is written.
package struct TextOptions: Hashable {
  /// The width of the window in columns; nil for a pipe or a file.
  package var width: Int?
  package var usesColor: Bool
  /// True for a terminal: long updates are summarised, and times are short.
  package var isTerminal: Bool
  /// True if no cell of a table is cut.
  package var isWide: Bool

  package init(width: Int?, usesColor: Bool, isTerminal: Bool, isWide: Bool = false) {
    self.width = width
    self.usesColor = usesColor
    self.isTerminal = isTerminal
    self.isWide = isWide
  }

  /// The options for a pipe or a file: lines of any length, no colour.
  package static let plain = TextOptions(width: nil, usesColor: false, isTerminal: false)

  /// The minimum width of a layout, also for windows that are narrower or report a width of 0.
  package static let minWidth = 20

  /// The width for layouts. Without a window it is so large that no line reaches it.
  var columns: Int { min(max(width ?? .max, TextOptions.minWidth), 1 << 32) }
}
