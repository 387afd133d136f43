import Store
package import Terminal

/// The model of the full screen: state and event → state, canvas and effects. Pure: it has no terminal, no
/// files and no clock, and `draw()` is a function of the state and the size alone.
///
/// ```swift
/// for event in events { for effect in screen.handle(event, at: .now) { … } }
/// let number = device.show(screen.draw(), movesItems: screen.movesItems)
/// _ = screen.handle(.drawn(frame: number), at: .now)
/// ```
///
/// An input acts on the list as it was painted when it was pressed: the model keeps the frames that
/// are under way (`PaintedFrames`).
package struct Screen: Sendable {
  private(set) var size: ScreenSize
  /// The areas of the screen, as of the end of the last event.
  private(set) var layout: ScreenLayout

  let options: ScreenOptions
  var area: ListArea
  var frames = PaintedFrames()
  var report: ListReport?
  var pause: ListPause?
  var status = StatusText()
  var panes = OpenPanes()
  /// The search that was asked for last. The list may not have it yet.
  var search: String
  /// The predicate that was typed last; nil if the list has that of its view.
  var predicate: ItemPredicate?
  var pendingActions = 0
  /// True if the end of the program waits for them: what was typed opens again if it is refused.
  var quitWaits = false
  /// The undo or redo that waits for them, to know what it takes back.
  var waitingStep: UndoDirection?
  /// The name of the view that was asked for last; nil for all items.
  var view: String?
  /// The views that were added here, each with the one that was shown before: if an undo removes it, that one
  /// is shown again.
  private var addedViews: [String: String?] = [:]
  /// The last frame before a form or a difference opened by itself: keys pressed until then are not for it.
  var unseenUntil: Int?
  /// True if there was no input since the last action: the cursor goes to what it added or brought back.
  var followsAction = false
  /// The item to which the cursor goes as soon as the list shows it, unless an input comes first.
  var focus: Item.ID?
  /// The row at which the search line opened, to which the cursor returns if the search is dropped.
  var searchStart: Item.ID?
  /// True if Enter or Tab left the search line before the list had its text: the cursor goes to the best match
  /// when it is there, and Enter opens it, unless an input comes first.
  var awaitsBestMatch = false
  var opensBestMatch = false
  var ownChanges = OwnChanges()
  var lastClick: (row: ScreenRow, time: ContinuousClock.Instant)?

  package init(size: ScreenSize, options: ScreenOptions) {
    self.size = size
    self.options = options
    // A pipeline chooses items.
    area = ListArea(showsProblems: !options.isFilter)
    search = options.search
    view = options.view
    layout = ScreenLayout(size, panes)
    if options.searchesFirst { panes.prompt.open(SearchLine(search: search, movesList: true)) }
    arrange()
  }

  /// Applies an event, and returns what to do in its order.
  package mutating func handle(_ event: ScreenEvent, at time: ContinuousClock.Instant) -> [ScreenEffect] {
    var effects: [ScreenEffect] = []
    let waited = quitWaits
    // Whoever keeps using the list doesn't leave it.
    if case .input(let input, _) = event, input.isIntended { quitWaits = false }
    switch event {
    case .drawn(let number):
      frames.add(
        PaintedFrame(
          number: number, list: area.shown, problems: area.problems, cursor: area.cursor, layout: layout,
          rows: rows, recent: area.recent))
      return []
    case .input(let input, let frame): effects = handle(input, frame: frame, at: time)
    case .painted(let frame): frames.paint(frame)
    case .resize(let size): self.size = size
    case .progress(let count): status.filesRead = count
    case .list(let report): effects = show(report, at: time)
    case .tick: break
    case .document(let document): effects = panes.detail.show(document)
    case .outcome(let outcome):
      if ownChanges.observe(outcome, at: time) { markLastChangeAsOwn() }
      effects = show(outcome)
    }
    area.marks.fade(at: time)
    arrange()
    return begin(effects, isAgain: waited) + followCursor()
  }

  /// Keeps what effects ask for. An end with nothing chosen waits for the actions, unless it did so already.
  private mutating func begin(_ effects: [ScreenEffect], isAgain: Bool) -> [ScreenEffect] {
    effects.filter { effect in
      switch effect {
      case .change(let change): record(change)
      case .act(let action):
        pendingActions += 1
        ownChanges.begin()
        if case .edit = action { break }
        followsAction = true
      case .quit(.nothing) where pendingActions > 0 && !isAgain:
        quitWaits = true
        status.message = StatusText.Message(
          text: "Waiting for the last action; press the key again to leave at once.")
        return false
      default: break
      }
      return true
    }
  }

  /// The time at which a mark fades and the screen has to be drawn again; nil if none is shown.
  package var deadline: ContinuousClock.Instant? { area.marks.deadline }

  /// True if `draw()` shows another item or problem on some row than the last frame that was drawn: the
  /// terminal then reports when the frame is painted.
  package var movesItems: Bool { rows != frames.last?.rows ?? [:] }

  var rows: [Int: ScreenRow] {
    guard let window = area.window else { return [:] }
    let first = listRows.lowerBound
    return Dictionary(
      uniqueKeysWithValues: window.lines.enumerated().compactMap { line, content in
        content.row.map { (first + line, $0) }
      })
  }

  /// The rows of the list's area without the titles of the columns.
  var listRows: Range<Int> {
    let rows = layout.list.rows
    return hasTitles ? rows.lowerBound + 1..<rows.upperBound : rows
  }

  var hasTitles: Bool { layout.list.rows.count >= Screen.minTitledHeight }

  private static let minTitledHeight = 5

  private mutating func arrange() {
    layout = ScreenLayout(size, panes, messageRows: status.messageRows(columns: size.columns).count)
    area.resize(height: listRows.count, width: layout.list.columns.count)
    if let area = layout.detail { panes.detail.view.fitBelowTitle(area) }
    if let area = layout.log { panes.log.fit(area) }
    panes.difference?.fitBelowTitle(layout.whole)
    panes.prompt.fit(layout.beforeStatus)
  }

  private mutating func show(_ new: ListReport, at time: ContinuousClock.Instant) -> [ScreenEffect] {
    let isFirst = report == nil
    var effects: [ScreenEffect] = []
    report = new
    status.show(new)
    panes.log.record(new.update, new.problems, at: new.time)
    if let update = new.update, ownChanges.observe(update, at: time) { markLastChangeAsOwn() }
    if let update = new.update {
      area.selection.follow(update)
      panes.changes.record(update)
    }
    if pause != nil, new.snapshot.request.exact == area.shown?.request.exact {
      pause?.add(new)
    } else {
      pause = pause.map { _ in ListPause() }
      let marks = new.update.map(RowMarks.kinds) ?? []
      let request = new.snapshot.request
      let isOther = request.searches && request.typedSearch != area.shown?.request.typedSearch
      area.show(new.snapshot, atBestMatch: isOther && (isSearching || awaitsBestMatch))
      area.mark(marks, at: time)
      goToFocus()
      if awaitsBestMatch, area.shown?.request.typedSearch == search { effects += showBestMatch() }
    }
    if let view, new.settings.views[view] == nil, let before = addedViews.removeValue(forKey: view) {
      effects.append(.change(.view(before)))
    }
    if isFirst, !options.name.isEmpty { effects.append(.title("notes-watch: \(options.name)")) }
    return effects
  }

  private mutating func markLastChangeAsOwn() {
    status.markLastChangeAsOwn()
    panes.log.markLastUpdateAsOwn()
  }

  mutating func goToFocus() {
    guard let id = focus, let list = area.shown,
      let row = list.list.contains(id) ? id : area.recent.ids.first(where: { $0.item == id })
    else { return }
    focus = nil
    area.move(to: .item(row), in: list)
  }

  mutating func togglePause(at time: ContinuousClock.Instant) {
    guard let ended = pause else {
      pause = report == nil ? nil : ListPause()
      return
    }
    pause = nil
    guard let report else { return }
    area.show(report.snapshot)
    area.mark(ended.marks, at: time)
  }

  private mutating func show(_ outcome: ActionOutcome) -> [ScreenEffect] {
    status.message = StatusText.Message(text: outcome.message, isFailure: outcome.isFailure)
    panes.log.record(outcome.message, isFailure: outcome.isFailure, at: outcome.time)
    if followsAction, let id = outcome.focus {
      focus = id
      goToFocus()
    }
    let opened = panes.prompt.openedByItself
    panes.prompt.receive(outcome)
    var effects = conclude(outcome)
    if let difference = outcome.difference {
      panes.difference = PaneView(outcome.message, difference: difference)
    }
    if opened != panes.prompt.openedByItself || outcome.difference != nil {
      unseenUntil = frames.last?.number
    }
    if quitWaits, pendingActions == 0, !effects.contains(where: \.isAction), !panes.hasDialog {
      effects.append(.quit(.nothing))
    }
    // An edit may have changed something that isn't a value, such as a comment.
    if panes.showsDetail { effects += panes.detail.reload() }
    return effects
  }

  /// Begins the undo or redo that waited for an action. After a failure everything stops: an undo would take
  /// back an older action, and the person has to read the reason.
  private mutating func conclude(_ outcome: ActionOutcome) -> [ScreenEffect] {
    if outcome.isFailure {
      waitingStep = nil
      quitWaits = false
    }
    // A notice has no action: it says nothing about those that are pending.
    guard let action = outcome.action else { return [] }
    status.nextSteps[.undo] = outcome.nextUndo
    status.nextSteps[.redo] = outcome.nextRedo
    pendingActions = max(pendingActions - 1, 0)
    if case .delete(let items) = action, !outcome.isFailure {
      area.selection.remove(Set(items.map(\.id.item)))
    }
    var effects: [ScreenEffect] = []
    if case .saveView(let name, _, let settings) = action, !outcome.isFailure {
      if settings.views[name] == nil { addedViews[name] = .some(view) }
      effects.append(.change(.view(name)))
    }
    guard let waitingStep, pendingActions == 0 else { return effects }
    effects += takeBack(waitingStep)
    if panes.prompt.isOpen { unseenUntil = frames.last?.number }
    return effects
  }

  private mutating func followCursor() -> [ScreenEffect] {
    guard panes.showsDetail, let list = area.shown else { return [] }
    return panes.detail.follow(area.cursor, in: list, panes.changes)
  }
}

package struct ScreenOptions: Sendable {
  /// True if Enter chooses items and ends the program, as in a pipeline.
  package var isFilter = false
  package var isMulti = false
  /// True if typing goes to the search line at once.
  package var searchesFirst = false
  /// Keys that choose items as Enter does.
  package var expected: [Key] = []
  package var search = ""
  /// The name of the view that the list starts with; nil for all items.
  package var view: String?
  /// The name of the folder, for the title of the window.
  package var name = ""
  package var keys = KeyMap.standard
  /// Returns the mistake in a word such as `rating=8`: its column in the word, from 1, in Unicode scalars,
  /// and what is wrong and what to write, as sentences. Nil if it has none.
  package var checkWord: @Sendable (_ word: String) -> (column: Int, message: String)? = { _ in nil }

  package init() {}
}
