import PlainStore

/// The ends of runs.
extension ScriptSchedule {
  mutating func runEnded(_ end: RunEnd, at now: SuspendingClock.Instant) -> [Action] {
    guard let run = running else { return [] }
    running = nil
    loopGuard.runEnded(at: now)
    if end.isSuccess {
      hold = nil
      round?.successes += 1
      acknowledge(run.update)
      return [.acknowledgeRun]
    }
    if run.isStopping || end == .stopped {
      // It runs again with everything that is pending then.
      round = nil
      return []
    }
    round?.next = nil
    _ = round?.parts.popLast()
    lastFailure = end
    return failed(run, end, at: now)
  }

  /// Records that the command has an update, or needs no run for it.
  mutating func acknowledge(_ update: ResultsUpdate) {
    pending.acknowledge(update)
    for row in update.rows { holds[row] = nil }
    round?.next = nil
    _ = round?.parts.popLast()
  }

  private mutating func failed(_ run: Run, _ end: RunEnd, at now: SuspendingClock.Instant) -> [Action] {
    let rows = run.update.rows
    if options.splitsOnError, rows.count > 1 {
      let isFirst = round?.isSplit == false
      round?.split(rows)
      return isFirst ? [.report(.splitting(end, changes: rows.count))] : []
    }
    guard options.isEach || options.splitsOnError, let row = rows.first else {
      round?.parts = []
      return [.report(.failed(end, nil, failedForAll(after: run.change, at: now)))]
    }
    return failedAlone(row, .init(id: row, path: run.update.path(of: row)), run, end, at: now)
  }

  private mutating func failedForAll(after change: Int, at now: SuspendingClock.Instant) -> ScriptReport.Reaction {
    var hold = hold ?? ScriptHold()
    let reaction = hold.fail(after: change, at: now, options)
    self.hold = hold
    return reaction
  }

  private mutating func failedAlone(
    _ row: Item.ID, _ item: ScriptReport.FailedItem, _ run: Run, _ end: RunEnd, at now: SuspendingClock.Instant
  ) -> [Action] {
    if holds[row] == nil { round?.failedAlone.append(row) }
    var hold = holds[row] ?? ScriptHold()
    let reaction = hold.fail(after: run.change, at: now, options)
    holds[row] = hold
    let report = Action.report(.failed(end, item, reaction))
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
    return isTested && round.successes == 0 && round.failedAlone.count >= ScriptRound.maxFailedAlone && !round.parts.isEmpty
  }
}
