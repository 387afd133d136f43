/// What is known of the place where text for people goes.
package struct TextOptions: Sendable, Hashable {
  /// Columns of the window. Nil: lines are as long as they are, and nothing is cut.
  package var width: Int?
  package var usesColor: Bool
  /// Whether somebody looks at it now: long updates are summed up, and times are short.
  package var isTerminal: Bool

  package init(width: Int?, usesColor: Bool, isTerminal: Bool) {
    self.width = width
    self.usesColor = usesColor
    self.isTerminal = isTerminal
  }

  /// A pipe or a file: all of it, on lines as long as they are, without colour.
  package static let plain = TextOptions(width: nil, usesColor: false, isTerminal: false)

  /// Below this no table can be read, so text is laid out for it in a narrower window, and one that says its width is 0.
  package static let leastWidth = 20

  /// `width` as it is laid out for; so large that no line reaches it where there is none.
  var columns: Int { min(max(width ?? .max, TextOptions.leastWidth), 1 << 32) }
}
