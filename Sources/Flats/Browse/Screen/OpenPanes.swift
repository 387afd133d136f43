import Terminal

struct OpenPanes: Sendable {
  var prompt = Prompt()
  var detail = DetailPane()
  /// The last changes in words. They are collected while the log is closed, too.
  var log = LogPane()
  /// The difference that caused an action to be refused; nil if none is shown.
  var difference: PaneView?
  var changes = RecentChanges()
  var showsDetail = false
  var showsLog = false

  /// True if something is open that takes the keys.
  var hasDialog: Bool { prompt.isOpen || difference != nil }

  /// Shows or hides the detail. A hidden one keeps no file in memory.
  mutating func toggleDetail() {
    showsDetail.toggle()
    detail = DetailPane()
  }

  mutating func scroll(_ movement: PaneView.Movement) {
    if showsDetail { detail.scroll(movement) } else if showsLog { log.scroll(movement) }
  }
}
