import Store
import Streams

/// Decides when a command is started and stopped, and which of the pending changes it gets.
///
/// A command gets an update by a delivery: a run of its own, or with `--persistent` a line that one
/// process reads and acknowledges. At most one delivery is in progress. The position of the command
/// moves only past an update whose run succeeded, whose line was acknowledged, or that needs no run.
///
/// Pure: it gets events with their times, and returns what to do.
struct CommandSchedule {
  enum Event {
    case changed(ListUpdate<Item>)
    /// The changes that exist at the start were given.
    case started
    /// The run, or the process that reads lines, ended.
    case ended(RunEnd)
    /// The command wrote a line of these digits.
    case acknowledged(String)
    /// The process closed its standard input before it read everything.
    case inputClosed
    case gitChecked(GitOperation?)
    /// The deadline may have passed.
    case timer
    /// A person wants parked changes to be tried again.
    case continued
    case closed
    case cancelled
  }

  enum Action {
    /// Start the process that reads lines. Its end is an event.
    case start
    /// Run the command for an update from the acknowledged list, or write its line.
    case deliver(ListUpdate<Item>)
    /// Stop the run or the process. Its end is an event.
    case stop
    case endInput
    /// Record that the command has the update of the last delivery.
    case acknowledge
    /// Record that the command needs no delivery of an update from the acknowledged list.
    case skip(ListUpdate<Item>)
    /// Answer with `.gitChecked`. Always the last action.
    case checkGit
    case report(CommandReport)
    /// Stop handling events. It is the last action.
    case end(CommandSink.End)
  }

  struct Delivery {
    let update: ListUpdate<Item>
    let change: Int
  }

  struct Process {
    var isStopping = false
    var hasAcknowledged = false
    var hasReportedInvalid = false
    /// True if no line can be written: the command closed its input, or has everything.
    var isInputClosed = false
    /// True if its input was ended because no more lines will come.
    var hasEverything = false
    /// True if it is stopped because an acknowledgement did not come in time.
    var isTimedOut = false
    var deadline: SuspendingClock.Instant?
  }

  let options: CommandSettings
  let backoff: Backoff
  var pending: PendingChanges
  var seq: Int
  private(set) var changes = 0
  var process: Process?
  var delivery: Delivery?
  var round: ScriptRound?
  /// The hold of all changes, after a delivery that failed for all of them.
  var hold: ScriptHold?
  /// The holds of changes that failed alone. They do not delay other changes.
  var holds: [Item.ID: ScriptHold] = [:]
  var loopGuard = LoopGuard()
  var git: GitCheck?
  var lastFailure: RunEnd?
  private(set) var isStarted = false
  private(set) var isClosed = false
  private(set) var isCancelled = false
  private var isEnded = false
  private(set) var deadline: SuspendingClock.Instant?

  init(
    after acknowledged: ListSnapshot<Item>, offering offer: Offer = Offer(), seq: Int = 0,
    _ options: CommandSettings,
    backoff: Backoff = Backoff()
  ) {
    pending = PendingChanges(after: acknowledged, offering: offer)
    self.seq = seq
    self.options = options
    self.backoff = backoff
    git = options.defersGit.map { GitCheck(limit: $0) }
  }

  mutating func handle(_ event: Event, at now: SuspendingClock.Instant) -> [Action] {
    if isEnded { return [] }
    var actions: [Action] = []
    switch event {
    case .changed(let update): actions += record(update, at: now)
    case .started: isStarted = true
    case .ended(let end): actions += ended(end, at: now)
    case .acknowledged(let acknowledgement): actions += acknowledged(acknowledgement)
    case .inputClosed: inputClosed(at: now)
    case .gitChecked(let operation): actions += gitChecked(operation, at: now)
    case .timer: actions += timer(at: now)
    case .continued: actions += releaseParked()
    case .closed: isClosed = true
    case .cancelled:
      isCancelled = true
      // The last acknowledgement of a process that is stopped counts.
      actions += options.isPersistent && process != nil ? stop() : finish(.closed)
    }
    if !isEnded { actions += advance(at: now) }
    deadline = nextDeadline(after: now)
    return actions
  }

  /// The state for people. A command that waits for changes is idle.
  var state: CommandProgress.State {
    if delivery != nil { return .running }
    if isParked, options.isPersistent || !pending.isEmpty { return .parked }
    return pending.isEmpty ? .idle : .waiting
  }

  // MARK: Changes

  /// Adds a change, and stops a run that is out of date because of it.
  private mutating func record(_ update: ListUpdate<Item>, at now: SuspendingClock.Instant) -> [Action] {
    pending.add(update)
    pendingChanged()
    changes += 1
    loopGuard.changed(noticed: update.since ?? now)
    return isOutdated(by: update.diff.changes.map(\.item)) ? stop() : []
  }

  /// Returns true if the run is to be restarted because rows changed. A run whose changes were all
  /// reverted continues, because nothing would run in its place.
  private func isOutdated(by rows: [Item.ID]) -> Bool {
    guard options.onBusy == .restart, !options.isPersistent, let delivery else { return false }
    guard options.isEach else { return pending.hasChanges }
    let own = Set(delivery.update.rows)
    return rows.contains(where: own.contains) && pending.hasChanges(of: own)
  }

  /// Discards the planned deliveries, because the pending changes are now others.
  private mutating func pendingChanged() {
    if round?.hasBegun == false { round = nil }
    round?.next = nil
  }

  private var isParked: Bool {
    options.onError != .stop
      && (hold?.release == .continuation || holds.values.contains { $0.release == .continuation })
  }

  private mutating func releaseParked() -> [Action] {
    guard isParked else { return [] }
    if hold?.release == .continuation { hold = nil }
    holds = holds.filter { $0.value.release != .continuation }
    return [.report(.continued)]
  }

  // MARK: Deliveries

  private mutating func advance(at now: SuspendingClock.Instant) -> [Action] {
    var actions: [Action] = []
    if options.isPersistent, process == nil {
      if let end = endWithoutProcess { return finish(end) }
      guard mayStart(at: now) else { return [] }
      process = Process()
      actions.append(.start)
    }
    if delivery != nil || process?.isStopping == true || process?.isInputClosed == true { return actions }
    while let update = nextUpdate(at: now) {
      if options.isEach, update.rows.isEmpty {
        // Only sections moved or have other titles.
        acknowledge(update)
        actions.append(.skip(update))
        continue
      }
      guard mayDeliver(update, at: now, &actions) else { return actions }
      begin(update, at: now)
      return actions + [.deliver(update)]
    }
    git?.cancelWait()
    if options.isPersistent {
      return actions + (isClosed || options.runsOnce && isStarted ? endInput(at: now) : [])
    }
    return actions + (endWithoutRuns.map { finish($0) } ?? [])
  }

  private mutating func begin(_ update: ListUpdate<Item>, at now: SuspendingClock.Instant) {
    if options.isPersistent {
      let deadline = options.timeout.map { now + $0 }
      process?.deadline = deadline
    } else {
      if round?.hasBegun == true { loopGuard.runContinued() } else { loopGuard.runBegan(at: now) }
      process = Process()
    }
    round?.hasBegun = true
    git?.runBegan()
    pending.offer(update)
    delivery = Delivery(update: update, change: changes)
  }

  mutating func stop() -> [Action] {
    guard let process, !process.isStopping else { return [] }
    self.process?.isStopping = true
    self.process?.deadline = nil
    return [.stop]
  }

  private mutating func ended(_ end: RunEnd, at now: SuspendingClock.Instant) -> [Action] {
    guard let process else { return [] }
    let delivery = delivery
    // Changes without an acknowledgement stay pending.
    self.process = nil
    self.delivery = nil
    if options.isPersistent { return ended(process, end, at: now) }
    return delivery.map { ended(process, $0, end, at: now) } ?? []
  }

  /// Records that the command has an update, or needs no delivery of it.
  mutating func acknowledge(_ update: ListUpdate<Item>) {
    pending.acknowledge(update)
    for row in update.rows { holds[row] = nil }
    round?.next = nil
    _ = round?.parts.popLast()
  }

  mutating func finish(_ end: CommandSink.End) -> [Action] {
    isEnded = true
    return [.end(end)]
  }

  private func nextDeadline(after now: SuspendingClock.Instant) -> SuspendingClock.Instant? {
    if isEnded { return nil }
    let waitsForGit = options.isPersistent ? process?.isStopping == false : process == nil
    var times: [SuspendingClock.Instant?] = waitsForGit ? [git?.nextTime] : []
    if process == nil {
      times += [loopGuard.pauseEnd, hold?.time]
      if hold?.isReleased(by: changes, at: now) != false { times += holds.values.map(\.time) }
    }
    let later = times.compactMap { $0 }.filter { $0 > now }
    return (later + [process?.deadline].compactMap { $0 }).min()
  }
}
