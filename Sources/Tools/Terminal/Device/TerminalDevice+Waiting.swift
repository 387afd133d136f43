import CLinux
import Glibc

extension TerminalDevice {
  /// Waits until something happened, until `deadline`, or until a frame may be shown.
  ///
  /// - Parameters:
  ///   - deadline: When to return without an event; nil to wait without end.
  ///   - hasFrame: True if the caller has a frame to show: the wait then also ends when `canShow`
  ///     becomes true.
  /// - Returns: What happened, in order: `EventQueue.maxReceived` events at most. The next call
  ///   returns the others.
  package func wait(until deadline: ContinuousClock.Instant?, hasFrame: Bool) -> [TerminalEvent] {
    var isFirst = true
    while true {
      // Reads what has arrived even if the caller always has a frame to show.
      let mustReturn = !events.isEmpty || (hasFrame && canShow) || deadline.map { $0 <= .now } == true
      if mustReturn, !isFirst { break }
      isFirst = false
      pollOnce(
        timeout: mustReturn
          ? .zero
          : nearest(deadline, hasFrame: hasFrame).map { max(ContinuousClock.now.duration(to: $0), .zero) })
    }
    return events.next()
  }

  private func nearest(_ deadline: ContinuousClock.Instant?, hasFrame: Bool) -> ContinuousClock.Instant? {
    var times = [deadline, inputDeadline, ledger.deadline, regionDeadline]
    if hasFrame, isEntered, line.isWritten, ledger.hasRoom { times.append(pacer.earliest) }
    return times.compactMap { $0 }.min()
  }

  private func pollOnce(timeout: Duration?) {
    let usesLine = isEntered && !isGone
    var requests = [
      pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(
        fd: usesLine ? line.raw : -1,
        events: Int16((events.isFull ? 0 : POLLIN) | (line.isWritten ? 0 : POLLOUT)), revents: 0),
    ]
    poll(&requests, nfds_t(requests.count), timeout?.milliseconds ?? -1)
    if requests[1].revents != 0 { handleSignals() }
    if usesLine, requests[2].revents & Int16(POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0 { readInput() }
    if !line.isWritten { flushOutput() }
    handleDeadlines()
    if requests[0].revents != 0 {
      wakeup.clear()
      events.append(.wakeup)
    }
  }

  private func handleDeadlines() {
    let now = ContinuousClock.now
    if let inputDeadline, inputDeadline <= now {
      self.inputDeadline = nil
      record(parser.flush())
      inputFrame = nil
    }
    ledger.abandon(at: now)
    reportPainted()
    if let regionDeadline, regionDeadline <= now { moveRegion(cursorRow: nil) }
  }

  // MARK: - Input

  /// Reads what has arrived. It belongs to the frame that is painted now.
  func readInput() {
    guard isEntered, !isGone, !events.isFull else { return }
    guard let bytes = line.read() else { return markGone() }
    if bytes.isEmpty { return }
    let inputs = parser.parse(bytes)
    let now = ContinuousClock.now
    let painted = ledger.painted
    // Even an endless sequence ends in time.
    if parser.patience == nil {
      inputDeadline = nil
    } else if inputDeadline == nil || !inputs.isEmpty || parser.patience != .sequence {
      inputDeadline = now + patience
    }
    record(inputs)
    if parser.patience == nil {
      inputFrame = nil
    } else if inputFrame == nil || !inputs.isEmpty {
      inputFrame = inputs.isEmpty ? painted : ledger.painted
    }
  }

  /// How long to await the rest of an incomplete sequence: on a slow line its parts have larger gaps.
  private var patience: Duration {
    switch parser.patience {
    case .escape: min(max(.milliseconds(25), roundTrip ?? .zero), .milliseconds(200))
    case .sequence, nil: .seconds(5)
    case .paste: .seconds(3)
    }
  }

  /// Records inputs in their order: an answer can change to which frame the next input belongs.
  func record(_ inputs: [TerminalInput]) {
    let now = ContinuousClock.now
    for input in inputs {
      defer { inputFrame = nil }
      switch input {
      case .reply(let reply): record(reply, at: now)
      case .mouse(let action, let position, let modifiers):
        let row = position.row - (modes.region?.top ?? 0)
        guard (0..<size.rows).contains(row), position.column < size.columns else { continue }
        record(.mouse(action, CellPosition(row: row, column: position.column), modifiers), at: now)
      default: record(input, at: now)
      }
    }
  }

  private func record(_ input: TerminalInput, at time: ContinuousClock.Instant) {
    ledger.recordInput(at: time)
    if case .key(let key) = input, options.interruptKeys.contains(key) { events.discardInput() }
    events.append(.input(input, frame: inputFrame ?? ledger.painted))
  }

  // MARK: - Signals

  private func handleSignals() {
    signals.clear()
    let seen = clinux_terminal_signals()
    if seen & CLINUX_STOP_REQUESTED != 0 { stop(wholeGroup: false) }
    if seen & CLINUX_CONTINUED != 0, seen & CLINUX_STOP_REQUESTED == 0, isEntered { continueAfterStop() }
    if seen & CLINUX_WINDOW_CHANGED != 0 { updateSize() }
  }

  func updateSize() {
    guard isEntered else { return }
    let window = line.windowSize
    if options.height != nil { return locateRegionAgain() }
    // A terminal may also have changed what it shows.
    shown = nil
    size = window
    events.append(.resize(size))
  }
}
