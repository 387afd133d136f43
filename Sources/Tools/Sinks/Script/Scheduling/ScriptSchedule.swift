import PlainStore
import Watch

/// Decides when the command runs, and for which of the pending changes.
///
/// Pure: it gets events with their times, and returns what to do. At most one run is in progress.
/// The position of the command moves only past an update whose run succeeded, or that needs no run.
struct ScriptSchedule: Sendable {
  /// Something that happened.
  enum Event: Sendable {
    /// The list changed.
    case changed(ResultsUpdate)
    /// The changes that exist at the start were given.
    case started
    case runEnded(RunEnd)
    case gitChecked(GitOperation?)
    /// The deadline may have passed.
    case timer
    /// A person wants parked changes to be tried again.
    case continued
    /// No more changes will come.
    case closed
  }

  /// An instruction to the caller.
  enum Action: Sendable {
    /// Run the command for an update from the acknowledged list.
    case run(ResultsUpdate)
    /// Stop the run. Its end is an event.
    case stopRun
    /// Record that the command has the update of the run that ended.
    case acknowledgeRun
    /// Record that the command needs no run for an update from the acknowledged list.
    case skip(ResultsUpdate)
    /// Answer with `.gitChecked`.
    case checkGit
    case report(ScriptReport)
    /// Stop handling events. It is the last action.
    case end(ScriptEnd)
  }

  /// A run in progress.
  struct Run: Sendable {
    let update: ResultsUpdate
    /// The number of the last change before the run.
    let change: Int
    var isStopping = false
  }

  let options: ScriptOptions
  var pending: PendingChanges
  /// The number of changes.
  var changes = 0
  var running: Run?
  var round: ScriptRound?
  /// The hold of all changes, after a run that failed for all of them.
  var hold: ScriptHold?
  /// The holds of changes that failed alone. They do not delay other changes.
  var holds: [Item.ID: ScriptHold] = [:]
  var loopGuard = LoopGuard()
  var git: GitCheck?
  var lastFailure: RunEnd?
  private var isStarted = false
  private var isClosed = false
  var isEnded = false
  /// The time of the next `.timer` event; nil if none is needed.
  private(set) var deadline: SuspendingClock.Instant?

  /// Creates the schedule of a command that has a list.
  ///
  /// - Parameters:
  ///   - acknowledged: The list that it has.
  ///   - offer: What it was offered by an earlier run of this program, and has not acknowledged.
  init(after acknowledged: ResultsSnapshot, offering offer: Offer = Offer(), _ options: ScriptOptions) {
    pending = PendingChanges(after: acknowledged, offering: offer)
    self.options = options
    git = options.defersGit.map { GitCheck(limit: $0) }
  }

  /// Handles an event and returns what to do, in order.
  mutating func handle(_ event: Event, at now: SuspendingClock.Instant) -> [Action] {
    if isEnded { return [] }
    var actions: [Action] = []
    switch event {
    case .changed(let update):
      if record(update, at: now) { actions.append(.stopRun) }
    case .started: isStarted = true
    case .runEnded(let end): actions += runEnded(end, at: now)
    case .gitChecked(let operation): actions += gitChecked(operation, at: now)
    case .timer: break
    case .continued: actions += releaseParked()
    case .closed: isClosed = true
    }
    if running == nil { actions += advance(at: now) }
    deadline = nextDeadline(after: now)
    return actions
  }

  /// The state for people.
  var state: CommandState {
    if running != nil { return .running }
    if pending.isEmpty { return .idle }
    let isParked = options.onError == .retry && (hold?.release == .continuation || holds.values.contains { $0.release == .continuation })
    return isParked ? .parked : .waiting
  }

  // MARK: Changes

  /// Adds a change. Returns true if the run is to be stopped because of it.
  private mutating func record(_ update: ResultsUpdate, at now: SuspendingClock.Instant) -> Bool {
    pending.add(update)
    pendingChanged()
    changes += 1
    loopGuard.changed(noticed: update.since ?? now)
    guard isOutdated(by: update.diff.changes.map(\.item)) else { return false }
    running?.isStopping = true
    return true
  }

  /// Returns true if the run is to be restarted because rows changed. A run whose changes were all
  /// reverted continues, because nothing would run in its place.
  private func isOutdated(by rows: [Item.ID]) -> Bool {
    guard options.onBusy == .restart, let running, !running.isStopping else { return false }
    guard options.isEach else { return pending.hasChanges }
    let own = Set(running.update.rows)
    return rows.contains(where: own.contains) && pending.hasChanges(of: own)
  }

  /// Discards the planned runs, because the pending changes are now others.
  mutating func pendingChanged() {
    if round?.hasBegun == false { round = nil }
    round?.next = nil
  }

  private mutating func releaseParked() -> [Action] {
    guard options.onError == .retry else { return [] }
    let wasParked = hold?.release == .continuation || holds.values.contains { $0.release == .continuation }
    guard wasParked else { return [] }
    if hold?.release == .continuation { hold = nil }
    holds = holds.filter { $0.value.release != .continuation }
    return [.report(.continued)]
  }

  // MARK: Runs

  /// Begins the next run, if there is one that may begin now.
  private mutating func advance(at now: SuspendingClock.Instant) -> [Action] {
    var actions: [Action] = []
    while let update = nextUpdate(at: now) {
      if options.isEach, update.rows.isEmpty {
        // Only sections moved or have other titles.
        acknowledge(update)
        actions.append(.skip(update))
        continue
      }
      guard mayRun(update, at: now, &actions) else { return actions }
      begin(update, at: now)
      return actions + [.run(update)]
    }
    git?.cancelWait()
    if let end = end() {
      isEnded = true
      actions.append(.end(end))
    }
    return actions
  }

  private mutating func begin(_ update: ResultsUpdate, at now: SuspendingClock.Instant) {
    if round?.hasBegun == true { loopGuard.runContinued() } else { loopGuard.runBegan(at: now) }
    round?.hasBegun = true
    git?.runBegan()
    pending.offer(update)
    running = Run(update: update, change: changes)
  }

  /// Returns the reason for which nothing more will run; nil if something may.
  private func end() -> ScriptEnd? {
    if options.onError == .stop, hold != nil || !holds.isEmpty, let lastFailure { return .status(lastFailure.exitStatus) }
    if isClosed { return .closed }
    guard options.runsOnce, isStarted, hold?.time == nil, holds.values.allSatisfy({ $0.time == nil }) else { return nil }
    return .status(hold == nil && holds.isEmpty ? 0 : lastFailure?.exitStatus ?? 0)
  }

  private func nextDeadline(after now: SuspendingClock.Instant) -> SuspendingClock.Instant? {
    guard running == nil, !isEnded else { return nil }
    var times: [SuspendingClock.Instant?] = [loopGuard.pauseEnd, hold?.time, git?.nextTime]
    if hold?.isReleased(by: changes, at: now) != false { times += holds.values.map(\.time) }
    return times.compactMap { $0 }.filter { $0 > now }.min()
  }
}
