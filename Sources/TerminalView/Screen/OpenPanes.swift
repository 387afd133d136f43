import PlainStore
import TerminalDevice

/// The parts of the screen besides the list and the status.
struct OpenPanes: Sendable {
  /// The detail pane. It exists while it is closed, too.
  var detail: (any ScreenPane)?
  /// The log pane. It collects changes while it is closed, too.
  var log: (any ScreenPane)?
  /// The line that is being edited; nil if there is none.
  var line: (any ScreenPane)?
  /// The menu, question, form or page over the list, which takes all input; nil if there is none.
  var dialog: (any ScreenPane)?
  /// True if the detail is shown.
  var showsDetail = false
  /// True if the log is shown.
  var showsLog = false
  /// The item that the detail was told about last.
  var told: Item?

  /// The parts that need an area.
  var open: ScreenLayout.Open {
    var open: ScreenLayout.Open = []
    if showsDetail { open.insert(.detail) }
    if showsLog { open.insert(.log) }
    if line != nil { open.insert(.line) }
    return open
  }
}

/// Giving panes their input and their news.
extension Screen {
  /// Gives a pane an input.
  ///
  /// - Returns: What the pane asks for; nil if the input is not for it.
  mutating func give(
    _ input: TerminalInput, to pane: WritableKeyPath<OpenPanes, (any ScreenPane)?>, at time: ContinuousClock.Instant
  ) -> [ScreenEffect]? {
    guard let result = panes[keyPath: pane]?.handle(input, at: time) else { return nil }
    return effects(of: result, pane)
  }

  /// Tells a pane some news, and returns what it asks for.
  mutating func tell(
    _ pane: WritableKeyPath<OpenPanes, (any ScreenPane)?>, _ news: ScreenNews, at time: ContinuousClock.Instant
  ) -> [ScreenEffect] {
    guard let result = panes[keyPath: pane]?.receive(news, at: time) else { return [] }
    return effects(of: result, pane) ?? []
  }

  /// Tells all panes some news.
  mutating func tellAll(_ news: ScreenNews, at time: ContinuousClock.Instant) -> [ScreenEffect] {
    tell(\.log, news, at: time) + tell(\.detail, news, at: time) + tell(\.line, news, at: time) + tell(\.dialog, news, at: time)
  }

  /// Tells the detail, if it is shown, that the cursor is on another item or that its item changed.
  mutating func tellCurrent(at time: ContinuousClock.Instant) -> [ScreenEffect] {
    guard panes.showsDetail else { return [] }
    let item = area.current
    if item === panes.told, item != nil { return [] }
    if item == nil, panes.told == nil { return [] }
    panes.told = item
    return tell(\.detail, .current(item), at: time)
  }

  private mutating func effects(of result: PaneResult, _ pane: WritableKeyPath<OpenPanes, (any ScreenPane)?>) -> [ScreenEffect]? {
    switch result {
    case .unhandled: return nil
    case .handled(let effects): return effects
    case .closed(let effects):
      close(pane)
      return effects
    }
  }

  private mutating func close(_ pane: WritableKeyPath<OpenPanes, (any ScreenPane)?>) {
    switch pane {
    case \.detail: panes.showsDetail = false
    case \.log: panes.showsLog = false
    default: panes[keyPath: pane] = nil
    }
  }
}
