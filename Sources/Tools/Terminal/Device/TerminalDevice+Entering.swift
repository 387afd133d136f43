import CLinux
import Files
package import SystemPackage

extension TerminalDevice {
  /// Enters the screen: raw mode, alternate screen (or the rows below the prompt), mouse, paste and
  /// focus reports. Also after `leave()`; the next frame is then drawn completely.
  ///
  /// - Throws: The error of a terminal that cannot be changed.
  package func enter() throws(Errno) {
    if isEntered || isClosed { return }
    let isReturn = ledger.last > 0
    try enter(keepingSettings: isReturn)
    clinux_terminal_handle_signals(signals.descriptor)
    if isReturn { updateSize() }
  }

  /// - Parameters:
  ///   - keepingSettings: True if the settings that are restored at the end are those of the last
  ///     time: an editor that died may have left others.
  ///   - wasLeft: False if the process was stopped before it could leave the screen.
  private func enter(keepingSettings: Bool, wasLeft: Bool = true) throws(Errno) {
    if clinux_terminal_set_raw(keepingSettings ? 1 : 0) != 0 { throw .current }
    line.discardOutput()
    ledger.forgetAnswers()
    shown = nil
    isEntered = true
    if options.height != nil { locateRegion() }
    updateRestoration()
    clinux_terminal_arm()
    send(wasLeft ? modes.entering : modes.reentering)
  }

  /// Leaves the screen and restores the terminal, for an editor. `enter()` returns to it. Until
  /// then, this program ignores Ctrl-C and Ctrl-\, which are for the editor: they do not end it just
  /// before the editor begins or after it ended, either.
  package func leave() {
    guard isEntered else { return }
    restore()
    clinux_terminal_lend_signals()
  }

  /// Restores the terminal for good. Waits at most a second for a slow line, and for answers of the
  /// terminal that the shell would get otherwise.
  package func close() {
    if isClosed { return }
    leave()
    clinux_terminal_release_signals()
    isClosed = true
    clinux_terminal_end()
  }

  private func restore() {
    if !isGone {
      let end = ContinuousClock.now + .seconds(1)
      while !line.isWritten, !isGone, .now < end {
        line.wait(.milliseconds(50), writes: true)
        flushOutput()
      }
      awaitAnswers()
    }
    clinux_terminal_restore()
    isEntered = false
    line.discardOutput()
  }

  /// Reads the answers that are under way, so that the shell does not get them: a fifth of a second
  /// at most. What is typed meanwhile still belongs to the screen.
  private func awaitAnswers() {
    let end = ContinuousClock.now + .milliseconds(200)
    while awaitsAnswer, !isGone, .now < end {
      line.wait(ContinuousClock.now.duration(to: end))
      readInput()
    }
  }

  // MARK: - Stopping

  /// Restores the terminal and stops the process group, as Ctrl-Z does; returns when it continues.
  /// `wait` then returns `.resumed`.
  ///
  /// - Returns: False if nobody could continue it: the shell of this process group ignores stops.
  package func suspend() -> Bool {
    guard isEntered, TerminalDevice.canStop else { return false }
    stop(wholeGroup: true)
    return true
  }

  func stop(wholeGroup: Bool) {
    guard isEntered else { return }
    restore()
    clinux_terminal_stop(wholeGroup ? 1 : 0)
    returnToScreen(keepingSettings: false, wasLeft: true)
  }

  /// Enters the screen again after the process was stopped by a signal that cannot be handled.
  func continueAfterStop() {
    if clinux_terminal_is_raw() != 0 {
      // No shell has used the terminal.
      shown = nil
      send(modes.reentering)
      events.append(.resumed)
      return
    }
    returnToScreen(keepingSettings: true, wasLeft: false)
  }

  private func returnToScreen(keepingSettings: Bool, wasLeft: Bool) {
    do throws(Errno) {
      try enter(keepingSettings: keepingSettings, wasLeft: wasLeft)
      updateSize()
      events.append(.resumed)
    } catch {
      markGone()
    }
  }

  // MARK: - The rows below the prompt

  /// Finds the rows below the cursor, and makes room for them. The terminal says where the cursor
  /// is; if it does not within a fifth of a second, the last rows of the window are used.
  private func locateRegion() {
    let window = line.windowSize
    size = ScreenSize(columns: window.columns, rows: options.height?.rows(of: window.rows) ?? window.rows)
    parser.expectedPositions += 1
    line.append(Array("\u{1B}[6n".utf8))
    var origin: CellPosition?
    let end = ContinuousClock.now + .milliseconds(200)
    while origin == nil, !isGone, .now < end {
      if !line.write() { return markGone() }
      line.wait(ContinuousClock.now.duration(to: end))
      guard let bytes = line.read() else { continue }
      for input in parser.parse(bytes) {
        if case .reply(.cursor(let position)) = input { origin = position } else { record([input]) }
      }
    }
    let found = origin ?? CellPosition(row: window.rows - 1, column: 0)
    placeRegion(at: found.column > 0 ? found.row + 1 : found.row, window: window, origin: found)
  }

  /// Uses the rows from `row` on. If the window has too few, it scrolls.
  private func placeRegion(at row: Int, window: ScreenSize, origin: CellPosition) {
    let missing = max(row + size.rows - window.rows, 0)
    if missing > 0 {
      line.append(Array("\u{1B}[\(window.rows);1H".utf8) + Array(repeating: 0x0A, count: missing))
    }
    let origin = CellPosition(
      row: max(origin.row - missing, 0), column: min(origin.column, max(window.columns - 1, 0)))
    modes.region = (max(row - missing, 0), origin)
  }

  /// Asks where the cursor is after a change of the window: the terminal may have moved the rows.
  func locateRegionAgain() {
    parser.expectedPositions += 1
    regionDeadline = .now + .milliseconds(200)
    send(Array("\u{1B}[6n".utf8))
  }

  /// Moves the rows that are drawn to where the terminal has moved them, by the row of the cursor;
  /// nil if it did not say.
  func moveRegion(cursorRow: Int?) {
    regionDeadline = nil
    guard let region = modes.region else { return }
    let window = line.windowSize
    let top = cursorRow.map { $0 - (shown?.cursor.row ?? 0) } ?? region.top
    let shift = top - region.top
    size = ScreenSize(columns: window.columns, rows: options.height?.rows(of: window.rows) ?? window.rows)
    let origin = CellPosition(
      row: min(max(region.origin.row + shift, 0), max(window.rows - 1, 0)), column: region.origin.column)
    placeRegion(at: min(max(top, 0), max(window.rows - 1, 0)), window: window, origin: origin)
    updateRestoration()
    send(Array("\u{1B}[\((modes.region?.top ?? 0) + 1);1H\u{1B}[J".utf8))
    shown = nil
    events.append(.resize(size))
  }
}
