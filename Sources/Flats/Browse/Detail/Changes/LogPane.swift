import PlainStore
import Terminal

/// The log pane: the last changes of the list in words. It stays at its end while it is there.
struct LogPane: Sendable {
  private var log = ChangeLog()
  private(set) var view = PaneView()
  /// True if the last lines stay visible. A log that was never shown has no size, and no end.
  private var followsEnd = true
  private let keys: KeyMap

  /// The text of an empty log.
  private static let empty = StyledLine("No changes yet. Every change to the list appears here.", Style(.dim))

  /// - Parameter keys: The keys of the list, which scroll the log while it has the focus.
  init(keys: KeyMap) {
    self.keys = keys
    view.show(PaneText(lines: [LogPane.empty]))
  }

  /// Sets the area that the pane is drawn into. Call it when the layout changes.
  mutating func fit(_ area: ScreenArea) {
    view.fit(PaneFrame.content(of: area))
    if followsEnd { view.scroll(.end) }
  }

  /// Adds what changed in one step.
  ///
  /// - Parameters:
  ///   - update: The update; nil if the list is the same.
  ///   - problems: The problems that appeared or disappeared.
  ///   - time: The time of day; nil if it is not known.
  mutating func record(_ update: ResultsUpdate?, _ problems: [ProblemChange], at time: String?) {
    change { $0.record(update, problems, at: time) }
  }

  /// Adds a sentence, as about an action.
  ///
  /// - Parameter time: The time of day; nil if it is not known.
  mutating func record(_ sentence: String, isFailure: Bool, at time: String? = nil) {
    change { $0.record(sentence, isFailure: isFailure, at: time) }
  }

  /// Says that the last update is the person's own.
  mutating func markLastUpdateAsOwn() { change { $0.markLastUpdateAsOwn() } }

  private mutating func change(_ body: (inout ChangeLog) -> Void) {
    let removed = log.removed
    body(&log)
    guard !log.lines.isEmpty else { return }
    view.update(PaneText(lines: log.lines), removing: log.removed - removed, staysAtEnd: followsEnd)
  }

  /// Scrolls the pane.
  mutating func scroll(_ movement: PaneView.Movement) {
    view.scroll(movement)
    followsEnd = view.isAtEnd
  }

  mutating func handle(_ input: TerminalInput) -> PaneResult {
    defer { followsEnd = view.isAtEnd }
    return view.handle(input, keys, closedBy: .log)
  }

  func draw(into canvas: inout Canvas, area: ScreenArea) {
    let rest = PaneFrame.draw("Log", into: &canvas, area: area)
    view.draw(into: &canvas, area: rest)
  }
}
