import Terminal

/// The pane that shows why an action was refused: a sentence, and the difference between what was
/// expected and what is there.
struct DifferencePane: ScreenPane {
  private(set) var view = PaneView()
  private let keys: KeyMap

  /// Creates a pane.
  ///
  /// - Parameters:
  ///   - message: The sentence.
  ///   - difference: The difference, as `git diff` prints it.
  ///   - keys: The keys of the list, which scroll the pane.
  init(_ message: String, difference: [UInt8], keys: KeyMap) {
    self.keys = keys
    var text = PaneText(lines: [StyledLine(message, Style(.problem)), StyledLine()])
    text.document = DocumentLines(difference, as: .difference)
    view.show(text)
  }

  /// Sets the area that the pane is drawn into. Call it when the layout changes.
  mutating func fit(_ area: ScreenArea) {
    view.fit(PaneFrame.content(of: area))
  }

  mutating func handle(_ input: TerminalInput, at time: ContinuousClock.Instant) -> PaneResult {
    view.handle(input, keys)
  }

  func draw(into canvas: inout Canvas, area: ScreenArea) {
    let rest = PaneFrame.draw("Difference", note: "Escape closes", into: &canvas, area: area)
    view.draw(into: &canvas, area: rest)
  }
}
