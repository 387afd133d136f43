import Terminal

/// The parts of the screen besides the list and the status.
struct OpenPanes: Sendable {
  /// The line, menu, question or form in which a person types.
  var prompt = Prompt()
  /// The file of the item under the cursor.
  var detail = DetailPane()
  /// The last changes in words. They are collected while the log is closed, too.
  var log: LogPane
  /// The difference that caused an action to be refused; nil if none is shown.
  var difference: DifferencePane?
  /// The last changes, for the detail.
  var changes = RecentChanges()
  var showsDetail = false
  var showsLog = false

  /// True if something is open that takes the keys.
  var hasDialog: Bool { prompt.isOpen || difference != nil }

  init(keys: KeyMap) {
    log = LogPane(keys: keys)
  }

  /// Shows or hides the detail. A hidden one keeps no file in memory.
  mutating func toggleDetail() {
    showsDetail.toggle()
    detail = DetailPane()
  }

  /// Scrolls the detail, or the log if the detail is hidden.
  mutating func scroll(_ movement: PaneView.Movement) {
    if showsDetail { detail.scroll(movement) } else if showsLog { log.scroll(movement) }
  }
}
