import Store
import Terminal

/// An input goes to the prompt first, then a difference, the panes under the mouse, the keys of the list.
extension Screen {
  mutating func handle(_ input: TerminalInput, frame number: Int, at time: ContinuousClock.Instant)
    -> [ScreenEffect]
  {
    let frame = frames[number]
    if !panes.hasDialog { unseenUntil = nil }
    if input.isIntended {
      followsAction = false
      focus = nil
      awaitsBestMatch = false
    }
    switch input {
    case .reply, .focus: return []
    case .mouse, .paste: if isUnseen(number) { return [] }
    case .key(let key):
      status.message = nil
      lastClick = nil
      if let action = options.keys.actionAnywhere(key) { return perform(action, frame: frame, at: time) }
      if isUnseen(number) { return [] }
      if let effects = choose(with: key, frame) { return effects }
    }
    if panes.prompt.isOpen {
      let opened = panes.prompt.openedByItself
      let wasSearching = isSearching
      let result = panes.prompt.handle(input, seeing: frame?.list)
      if opened != panes.prompt.openedByItself { unseenUntil = frames.last?.number }
      if wasSearching, case (.closed(let effects), .key(let key)) = (result, input) {
        return effects + endSearch(with: key, frame, time)
      }
      if let effects = effects(of: result, input, frame, time) { return effects }
    }
    if var difference = panes.difference {
      panes.difference = difference.closes(by: input, options.keys) ? nil : difference
      return []
    }
    switch input {
    case .key(let key): return options.keys[key].map { perform($0, frame: frame, at: time) } ?? []
    case .mouse(let action, let cell, _): return handle(action, input, at: cell, frame: frame, time)
    case .paste, .focus, .reply: return []
    }
  }

  /// Returns true if an input is older than the first frame with a dialog that opened by itself.
  private func isUnseen(_ number: Int) -> Bool { unseenUntil.map { number <= $0 } ?? false }

  var isSearching: Bool { panes.prompt.pane is SearchLine }

  /// Opens the best match after Enter, and returns to the row of before after Escape.
  private mutating func endSearch(with key: Key, _ frame: PaintedFrame?, _ time: ContinuousClock.Instant)
    -> [ScreenEffect]
  {
    if key.code == .escape {
      focus = searchStart
      goToFocus()
    }
    guard key.code == .enter || key.code == .tab, search.contains(where: { !$0.isWhitespace }) else {
      return []
    }
    if frame?.list?.request.typedSearch == search {
      return key.code == .enter ? perform(.accept, frame: frame, at: time) : []
    }
    // Nothing is chosen that was not seen.
    opensBestMatch = key.code == .enter && !options.isFilter
    if area.shown?.request.typedSearch == search { return showBestMatch() }
    awaitsBestMatch = true
    return []
  }

  mutating func showBestMatch() -> [ScreenEffect] {
    awaitsBestMatch = false
    guard opensBestMatch, let id = area.cursor?.item, let item = area.shown?[id: id] else { return [] }
    return [.act(.edit([PaintedItem(item.id, item.revision)]))]
  }

  /// Returns the effects of what the prompt did with an input; nil if the list may use it.
  private mutating func effects(
    of result: PaneResult, _ input: TerminalInput, _ frame: PaintedFrame?, _ time: ContinuousClock.Instant
  ) -> [ScreenEffect]? {
    switch (result, input) {
    case (.handled(let effects), _), (.closed(let effects), _): return effects
    case (.unhandled, .key(let key)):
      guard panes.prompt.movesList || isSearching else { return [] }
      let action = options.keys.actionWhileTyping(key, isMulti: options.isMulti)
      return action.map { perform($0, frame: frame, at: time) } ?? []
    case (.unhandled, .mouse): return layout.line == nil ? [] : nil
    case (.unhandled, _): return []
    }
  }

  /// Chooses by one of the keys of `--expect`; nil if the key is none of them.
  private mutating func choose(with key: Key, _ frame: PaintedFrame?) -> [ScreenEffect]? {
    guard options.isFilter, options.expected.contains(key), !panes.prompt.isOpen || panes.prompt.movesList
    else { return nil }
    // A line takes what can be typed into it.
    if panes.prompt.isOpen, case .character = key.code, key.modifiers.isEmpty { return nil }
    return choose(key, in: frame)
  }

  private mutating func handle(
    _ action: MouseAction, _ input: TerminalInput, at cell: CellPosition, frame: PaintedFrame?,
    _ time: ContinuousClock.Instant
  ) -> [ScreenEffect] {
    let layout = frame?.layout ?? layout
    if layout.detail?.contains(cell) == true {
      panes.detail.view.scroll(wheel: input)
      return []
    }
    if layout.log?.contains(cell) == true {
      panes.log.scroll(wheel: input)
      return []
    }
    guard layout.list.contains(cell), let frame else { return [] }
    switch action {
    case .press: return press(cell, frame, time)
    case .wheelUp: scroll(by: -Screen.wheelLines, in: frame)
    case .wheelDown: scroll(by: Screen.wheelLines, in: frame)
    case .release, .drag: break
    }
    return []
  }

  private static let wheelLines = 3
  private static let doubleClick = Duration.milliseconds(400)

  private mutating func press(_ cell: CellPosition, _ frame: PaintedFrame, _ time: ContinuousClock.Instant)
    -> [ScreenEffect]
  {
    status.message = nil
    guard let row = frame.rows[cell.row] else { return [] }
    move(to: row, in: frame)
    if let last = lastClick, last.row == row, time - last.time <= Screen.doubleClick {
      lastClick = nil
      return perform(.accept, frame: frame, at: time)
    }
    lastClick = (row, time)
    return []
  }
}

extension TerminalInput {
  /// True if meant by a person. A release only follows its press; replies and focus are not for the list.
  var isIntended: Bool {
    switch self {
    case .key, .paste: true
    case .mouse(let action, _, _): action != .release
    case .focus, .reply: false
    }
  }
}

/// Movements of the cursor: each is computed in the list as it was painted.
extension Screen {
  mutating func move(to row: ScreenRow, in frame: PaintedFrame) {
    guard let painted = frame.list else { return }
    frames.recordMovement(to: row)
    area.move(to: row, in: painted)
  }

  mutating func move(by count: Int, in frame: PaintedFrame) {
    guard let painted = frame.walk, let index = index(in: frame) else { return }
    let target = index.addingReportingOverflow(count).partialValue
    guard let row = painted.row(atIndex: min(max(target, 0), painted.count - 1)) else { return }
    move(to: row, in: frame)
  }

  /// Moves the window by lines. The cursor stays on its row while that is in the window.
  mutating func scroll(by lines: Int, in frame: PaintedFrame) {
    let rows = area.overflow(scrollingBy: lines)
    if rows != 0 { move(by: rows, in: frame) }
    area.scroll(by: lines)
  }

  private func index(in frame: PaintedFrame) -> Int? {
    guard let painted = frame.walk else { return nil }
    let rows = [frames.meantRow(in: frame), area.cursor, frame.cursor]
    for case let row? in rows {
      if let index = painted.index(of: row) { return index }
    }
    return nil
  }
}
