import Store
import Terminal

extension Screen {
  /// The frame was painted when the key was pressed; nil if unknown, so that the key must not act on a row.
  mutating func perform(_ action: BrowseAction, frame: PaintedFrame?, at time: ContinuousClock.Instant)
    -> [ScreenEffect]
  {
    if let frame, moves(action, in: frame) { return [] }
    switch action {
    case .accept where options.isFilter: return choose(Key(.enter), in: frame)
    case .accept, .edit, .delete, .undo, .redo, .add, .set, .sort, .reverse, .section, .columns, .view, .help,
      .search, .predicate:
      return open(action, frame)
    case .select: toggleSelection(in: frame)
    case .copy: return copy(frame) { $0.id.text ?? $0.id.description }
    case .copyPath: return copy(frame) { $0.revision.path.description }
    case .pause: togglePause(at: time)
    case .detail: panes.toggleDetail()
    case .detailDown: panes.scroll(.rows(1))
    case .detailUp: panes.scroll(.rows(-1))
    case .detailPageDown: panes.scroll(.pages(1))
    case .detailPageUp: panes.scroll(.pages(-1))
    case .log: panes.showsLog.toggle()
    case .redraw: return [.redraw]
    case .leave: return leave()
    case .quit: return [.quit(.nothing)]
    case .interrupt: return [.quit(.interrupted)]
    case .suspend: return [.suspend]
    case .up, .down, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .first, .last, .left, .right,
      .nextChange,
      .previousChange:
      break
    }
    return []
  }

  private mutating func moves(_ action: BrowseAction, in frame: PaintedFrame) -> Bool {
    let page = max(listRows.count - 2, 1)
    switch action {
    case .up: move(by: -1, in: frame)
    case .down: move(by: 1, in: frame)
    case .pageUp: move(by: -page, in: frame)
    case .pageDown: move(by: page, in: frame)
    case .halfPageUp: move(by: -max(page / 2, 1), in: frame)
    case .halfPageDown: move(by: max(page / 2, 1), in: frame)
    case .first: move(by: -(frame.walk?.count ?? 0), in: frame)
    case .last: move(by: frame.walk?.count ?? 0, in: frame)
    case .left: area.scrollColumns(by: -1)
    case .right: area.scrollColumns(by: 1)
    case .nextChange: goToChange(1, frame)
    case .previousChange: goToChange(-1, frame)
    default: return false
    }
    return true
  }

  private mutating func goToChange(_ step: Int, _ frame: PaintedFrame) {
    // Several presses before the next frame build on each other.
    let recent = area.recent.ids == frame.recent.ids ? area.recent : frame.recent
    guard let list = frame.list, let target = recent.target(step, in: list) else {
      status.message = StatusText.Message(text: "No row has changed yet.")
      return
    }
    area.recent.visit(target.number, target.id)
    move(to: .item(target.id), in: frame)
  }

  private mutating func leave() -> [ScreenEffect] {
    if panes.showsLog {
      panes.showsLog = false
    } else if panes.showsDetail {
      panes.toggleDetail()
    } else if !area.selection.isEmpty {
      area.selection.clear()
    } else if options.isFilter {
      return [.quit(.nothing)]
    } else if search != viewSearch {
      return [.change(.search(viewSearch))]
    }
    return []
  }

  /// Ends the program with the chosen items. Refuses an item that is gone.
  mutating func choose(_ key: Key, in frame: PaintedFrame?) -> [ScreenEffect] {
    // The cursor follows the best match, so a row of an older search was not meant.
    if area.selection.isEmpty, let list = frame?.list, list.request.typedSearch != search {
      refuse("The list does not have the search yet; press the key again.")
      return []
    }
    let targets = targets(in: frame)
    return targets.isEmpty ? [] : [.quit(.chosen(targets.map(\.id), key))]
  }

  private mutating func toggleSelection(in frame: PaintedFrame?) {
    if options.isFilter, !options.isMulti {
      return refuse("Only one item can be chosen; --multi allows several.")
    }
    guard let frame, !refusesProblem(in: frame), let (row, item) = meantItem(in: frame) else { return }
    area.selection.toggle(row, item)
    move(by: 1, in: frame)
  }

  private mutating func copy(_ frame: PaintedFrame?, _ text: (PaintedItem) -> String) -> [ScreenEffect] {
    let texts = targets(in: frame).map(text)
    guard let first = texts.first else { return [] }
    let name = texts.count == 1 ? DisplayText.safe(first) : "\(texts.count) lines"
    status.message = StatusText.Message(text: "Sent \(name) to the clipboard.")
    return [.copy(texts.joined(separator: "\n"))]
  }

  /// The row that the person means, and its item as it was painted. Refuses with a sentence if it is gone.
  mutating func meantItem(in frame: PaintedFrame) -> (row: Item.ID, item: Item)? {
    guard let row = frames.meantRow(in: frame)?.item else {
      refuse("The list is empty.")
      return nil
    }
    guard let item = frame.list?[id: row], area.shown?[id: row.item] != nil else {
      refuse("\(row.item) is not in the list any more; nothing was done.")
      return nil
    }
    return (row, item)
  }

  /// Refuses an action that needs an item on the row of a problem, also while items are selected.
  private mutating func refusesProblem(in frame: PaintedFrame) -> Bool {
    guard case .problem? = frames.meantRow(in: frame) else { return false }
    refuse("This row is the problem of a file, not an item. Enter opens the file.")
    return true
  }

  /// The problem on whose row a key was pressed; nil on another row, or if it is solved.
  func meantProblem(in frame: PaintedFrame?) -> Problem? {
    guard let frame, case .problem(let path)? = frames.meantRow(in: frame) else { return nil }
    return area.walk?.problem(of: path)
  }

  /// The selected items or that of the cursor, each once, as painted. Refuses with a sentence if none.
  mutating func targets(in frame: PaintedFrame?) -> [PaintedItem] {
    guard let frame else {
      refuse("The screen has changed since the key was pressed; press it again.")
      return []
    }
    if refusesProblem(in: frame) { return [] }
    if area.selection.isEmpty {
      return meantItem(in: frame).map { [PaintedItem($0.item.id, $0.item.revision)] } ?? []
    }
    var seen: Set<Item.ID> = []
    let painted = Set(frame.rows.values.compactMap(\.item))
    return area.selection.ids.compactMap { row in
      guard seen.insert(row.item).inserted else { return nil }
      // The person sees the state of a row on the screen; a row elsewhere was seen when it was selected.
      let item = painted.contains(row) ? frame.list?[id: row] : nil
      return (item ?? area.selection[row]).map { PaintedItem($0.id, $0.revision) }
    }
  }

  mutating func refuse(_ text: String) {
    status.message = StatusText.Message(text: text, isFailure: true)
  }
}
