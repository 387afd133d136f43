import Store
import Streams

/// Deliveries that are lines: one process reads them, and acknowledges each by its number.
extension CommandSchedule {
  /// The time after which a process that closed its input is stopped.
  static let inputGrace = Duration.seconds(2)
  /// The time after the end of its input after which a process without a timeout is stopped.
  static let endGrace = Duration.seconds(10)

  /// The reason for which no process will be started any more; nil if one may be.
  var endWithoutProcess: CommandSink.End? {
    if isCancelled || isClosed && !options.runsOnce { return .closed }
    return options.runsOnce && isStarted && pending.isEmpty ? .status(0) : nil
  }

  func mayStart(at now: SuspendingClock.Instant) -> Bool {
    if options.runsOnce, pending.isEmpty { return false }
    return hold?.isReleased(by: changes, at: now) ?? true
  }

  mutating func acknowledged(_ acknowledgement: String) -> [Action] {
    guard let process else { return [] }
    if let delivery, Int(acknowledgement) == seq + 1 {
      self.process?.hasAcknowledged = true
      self.process?.isTimedOut = false
      if !process.isInputClosed { self.process?.deadline = nil }
      self.delivery = nil
      hold = nil
      seq += 1
      acknowledge(delivery.update)
      return [.acknowledge]
    }
    if process.hasReportedInvalid { return [] }
    self.process?.hasReportedInvalid = true
    return [.report(.invalid(acknowledgement, expected: delivery == nil ? nil : seq + 1))]
  }

  mutating func inputClosed(at now: SuspendingClock.Instant) {
    guard let process, !process.isInputClosed else { return }
    self.process?.isInputClosed = true
    // It may be ending by itself.
    let limit = now + Self.inputGrace
    self.process?.deadline = process.deadline.map { min($0, limit) } ?? limit
  }

  mutating func endInput(at now: SuspendingClock.Instant) -> [Action] {
    let deadline = now + (options.timeout ?? Self.endGrace)
    process?.isInputClosed = true
    process?.hasEverything = true
    process?.deadline = deadline
    return [.endInput]
  }

  mutating func timer(at now: SuspendingClock.Instant) -> [Action] {
    guard let process, let deadline = process.deadline, now >= deadline else { return [] }
    self.process?.isTimedOut = delivery != nil && !process.isInputClosed
    let isReported = process.isInputClosed && !process.hasEverything
    return (isReported ? [.report(.inputClosed)] : []) + stop()
  }

  mutating func ended(_ process: Process, _ end: RunEnd, at now: SuspendingClock.Instant) -> [Action] {
    round = nil
    let end = process.isTimedOut ? RunEnd.timedOut : end
    if isCancelled { return finish(.closed) }
    if pending.isEmpty, isClosed || options.runsOnce {
      // The command has everything. If it does not end with its input, that is not a failure.
      let status = process.isStopping ? 0 : end.exitStatus
      let report = status == 0 ? [] : [Action.report(.ended(end, .stop))]
      return report + finish(options.runsOnce ? .status(status) : .closed)
    }
    let isOver = options.runsOnce && options.onError != .retry
    if options.onError == .stop || isOver {
      return [.report(.ended(end, .stop))] + finish(.status(status(of: end)))
    }
    if isClosed { return finish(.closed) }
    var hold = hold ?? ScriptHold(backoff)
    let reaction = hold.retry(counting: !process.hasAcknowledged, at: now, options)
    self.hold = hold
    let isLast = options.runsOnce && hold.release == .continuation
    return [.report(.ended(end, reaction))] + (isLast ? finish(.status(status(of: end))) : [])
  }

  /// Not 0 if the command has not acknowledged everything.
  private func status(of end: RunEnd) -> CInt { end.isSuccess && !pending.isEmpty ? 1 : end.exitStatus }
}
