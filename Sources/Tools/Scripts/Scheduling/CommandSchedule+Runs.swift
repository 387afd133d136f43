import Store
import Streams

/// Deliveries that are runs: each ends with a success or a failure of its changes.
extension CommandSchedule {
  /// The reason for which nothing more will run; nil if something may.
  var endWithoutRuns: CommandSink.End? {
    if mustStop, let lastFailure { return .status(lastFailure.exitStatus) }
    if isClosed { return .closed }
    guard options.runsOnce, isStarted, hold?.time == nil, holds.values.allSatisfy({ $0.time == nil }) else {
      return nil
    }
    return .status(hold == nil && holds.isEmpty ? 0 : lastFailure?.exitStatus ?? 0)
  }

  mutating func ended(_ run: Process, _ delivery: Delivery, _ end: RunEnd, at now: SuspendingClock.Instant)
    -> [Action]
  {
    loopGuard.runEnded(at: now)
    if end.isSuccess {
      hold = nil
      round?.successes += 1
      seq += 1
      acknowledge(delivery.update)
      return [.acknowledge]
    }
    if run.isStopping || end == .stopped {
      // It runs again with everything that is pending then.
      round = nil
      return []
    }
    round?.next = nil
    _ = round?.parts.popLast()
    lastFailure = end
    return failed(delivery, end, at: now)
  }

  private mutating func failed(_ delivery: Delivery, _ end: RunEnd, at now: SuspendingClock.Instant)
    -> [Action]
  {
    let rows = delivery.update.rows
    if options.splitsOnError, rows.count > 1 {
      let isFirst = round?.isSplit == false
      round?.split(rows)
      return isFirst ? [.report(.splitting(end, changes: rows.count))] : []
    }
    guard options.isEach || options.splitsOnError, let row = rows.first else {
      round?.parts = []
      return [.report(.failed(end, item: nil, failedForAll(after: delivery.change, at: now)))]
    }
    return failedAlone(row, delivery, end, at: now)
  }

  private mutating func failedForAll(after change: Int, at now: SuspendingClock.Instant)
    -> CommandReport.Reaction
  {
    var hold = hold ?? ScriptHold(backoff)
    let reaction = hold.fail(after: change, at: now, options)
    self.hold = hold
    return reaction
  }

  private mutating func failedAlone(
    _ row: Item.ID, _ delivery: Delivery, _ end: RunEnd, at now: SuspendingClock.Instant
  ) -> [Action] {
    if holds[row] == nil { round?.failedAlone.append(row) }
    var hold = holds[row] ?? ScriptHold(backoff)
    let reaction = hold.fail(after: delivery.change, at: now, options)
    holds[row] = hold
    let path = delivery.update.path(of: row).map { " (\($0))" } ?? ""
    let report = Action.report(.failed(end, item: "`\(row)`\(path)", reaction))
    if options.onError == .stop, options.isEach {
      round?.parts = []
    } else if let round, isBroken(round) {
      // The command fails for every change, so all changes have one hold.
      for row in round.failedAlone { holds[row] = nil }
      self.round?.parts = []
      let reaction = failedForAll(after: round.change, at: now)
      return [report, .report(.broken(end, tries: round.failedAlone.count, reaction))]
    }
    return [report]
  }

  /// Returns true if the command seems to fail for every change. With `next` and one run per item,
  /// all items are always tried.
  private func isBroken(_ round: ScriptRound) -> Bool {
    let isTested = options.splitsOnError || options.onError == .retry
    return isTested && round.successes == 0 && round.failedAlone.count >= ScriptRound.maxFailedAlone
      && !round.parts.isEmpty
  }
}
