import Store
import Streams
import Survey

extension Screen {
  mutating func open(_ action: BrowseAction, _ frame: PaintedFrame?) -> [ScreenEffect] {
    switch action {
    case .accept, .edit:
      if let problem = meantProblem(in: frame) { return [.open(problem)] }
      let items = targets(in: frame)
      return items.isEmpty ? [] : [.act(.edit(items))]
    case .delete:
      let items = targets(in: frame)
      if !items.isEmpty { panes.prompt.open(Question(deleting: items)) }
    case .set: openAssignment(frame)
    case .undo: return takeBack(.undo)
    case .redo: return takeBack(.redo)
    case .search:
      searchStart = area.cursor?.item
      panes.prompt.open(SearchLine(search: search, movesList: options.searchesFirst))
      // The same text prepares the search of the first key.
      return [.change(.search(search))]
    case .predicate: panes.prompt.open(PredicateLine(predicate: predicate))
    case .help: panes.prompt.open(HelpPane(options.keys))
    case .add, .sort, .reverse, .section, .columns, .view: return openForList(action)
    default: break
    }
    return []
  }

  /// Opens a menu or a form that is made of the list, or reverses its order. Refuses before the first list.
  private mutating func openForList(_ action: BrowseAction) -> [ScreenEffect] {
    guard let list = report?.snapshot, let settings = report?.settings else {
      refuse("The list is not loaded yet; press the key again.")
      return []
    }
    switch action {
    case .add: panes.prompt.open(AddForm(FieldSurvey(list), settings: settings, check: options.checkWord))
    case .sort: panes.prompt.open(Menu.sorting(list, columns: area.columns.paths, settings: settings))
    case .section: panes.prompt.open(Menu.sections(list, settings: settings))
    case .columns:
      // The list that is shown has the columns that are shown.
      panes.prompt.open(ColumnsPane(area.shown ?? list, area.columns, view: view, settings: settings))
    case .view: panes.prompt.open(Menu.views(settings, current: view))
    case .reverse: return [.change(Menu.reversed(list.request.ownSort))]
    default: break
    }
    return []
  }

  private mutating func openAssignment(_ frame: PaintedFrame?) {
    let targets = targets(in: frame)
    if targets.isEmpty { return }
    let items = targets.compactMap { target in frame?.list?[id: target.id] ?? area.shown?[id: target.id] }
    panes.prompt.open(AssignLine(targets, items, fields: area.columns.paths, check: options.checkWord))
  }

  /// Undoes the last action or redoes the last undo, after a question if it concerned several items.
  /// While another action is under way, it is not known what is taken back: then it waits.
  mutating func takeBack(_ direction: UndoDirection) -> [ScreenEffect] {
    waitingStep = pendingActions > 0 ? direction : nil
    if waitingStep != nil { return [] }
    guard let summary = status.nextSteps[direction], summary.count > 1 else {
      return [.act(direction.action)]
    }
    panes.prompt.open(Question(direction, summary))
    return []
  }

  /// The search of the view in the settings.
  var viewSearch: String { view.flatMap { report?.settings.views[$0]?.request.typedSearch } ?? "" }

  mutating func record(_ change: RequestChange) {
    switch change {
    case .search(let text): search = text
    case .predicate(let typed): predicate = typed
    case .view(let name):
      // A view replaces the predicate, and the search unless a person typed one.
      let isOwn = search == viewSearch
      view = name
      if isOwn { search = viewSearch }
      predicate = nil
    case .sort, .section, .columns: break
    }
  }
}

struct OpenPanes {
  var prompt = Prompt()
  var detail = DetailPane()
  /// The last changes in words. They are collected while the log is closed, too.
  var log = LogPane()
  var difference: PaneView?
  var changes = RecentChanges()
  var showsDetail = false
  var showsLog = false

  var hasDialog: Bool { prompt.isOpen || difference != nil }

  /// Shows or hides the detail. A hidden one keeps no file in memory.
  mutating func toggleDetail() {
    showsDetail.toggle()
    detail = DetailPane()
  }

  mutating func scroll(_ movement: PaneView.Movement) {
    if showsDetail { detail.view.scroll(movement) } else if showsLog { log.scroll(movement) }
  }
}
