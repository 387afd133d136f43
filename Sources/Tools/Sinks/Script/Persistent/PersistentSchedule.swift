import PlainStore
import Watch

/// Decides when a persistent command is started and stopped, and which lines it gets.
///
/// Pure: it gets events with their times, and returns what to do. At most one process runs, and at
/// most one line is outstanding. The position of the command only moves by a line that it has
/// acknowledged.
struct PersistentSchedule: Sendable {
  /// Something that happened.
  enum Event: Sendable {
    /// The list changed.
    case changed(ResultsUpdate)
    /// The changes that exist at the start were given.
    case started
    case acknowledged(Acknowledgement)
    /// The command closed its standard input before it read everything.
    case inputClosed
    case ended(RunEnd)
    case gitChecked(GitOperation?)
    /// The deadline may have passed.
    case timer
    /// A person wants a parked command to be started again.
    case continued
    /// No more changes will come.
    case closed
    /// The program ends.
    case cancelled
  }

  /// An instruction to the caller.
  enum Action: Sendable {
    /// Start the command. Its end is an event.
    case start
    /// Record an update as the next step, and write its line.
    case send(ResultsUpdate)
    /// Record that the command has the update of the last line.
    case acknowledge
    /// Answer with `.gitChecked`. Always the last action.
    case checkGit
    /// End the command's standard input.
    case endInput
    /// Stop the command.
    case stop
    case report(PersistentReport)
    /// Stop handling events. It is the last action.
    case end(ScriptEnd)
  }

  /// A process that runs.
  private struct Process {
    var hasAcknowledged = false
    var hasReportedInvalid = false
    /// True if no line can be written: the command closed its input, or has everything.
    var isInputClosed = false
    /// True if its input was ended because no more lines will come.
    var hasEverything = false
    var isStopping = false
    /// True if it is stopped because an acknowledgement did not come in time.
    var isTimedOut = false
  }

  /// The condition for the next start.
  private enum Wait: Equatable {
    case none
    case time(SuspendingClock.Instant)
    case parked
  }

  /// The time after which a command that closed its input is stopped.
  static let inputGrace = Duration.seconds(2)
  /// The time after the end of its input after which a command is stopped, unless there is a
  /// timeout.
  static let endGrace = Duration.seconds(10)

  private let options: ScriptOptions
  private var pending: PendingChanges
  /// The number of the last step that was acknowledged.
  private(set) var seq: Int
  /// The update of the line that is not acknowledged yet.
  private var outstanding: ResultsUpdate?
  private var git: GitCheck?
  private var process: Process?
  private var wait = Wait.none
  private var backoff: Backoff
  /// The number of processes in a row that ended without an acknowledgement.
  private var failures = 0
  private var hasChanges = false
  private var isStarted = false
  private var isClosed = false
  private var isCancelled = false
  private var isEnded = false
  /// The time of the next `.timer` event; nil if none is needed.
  private(set) var deadline: SuspendingClock.Instant?

  /// Creates the schedule of a command that has a list.
  ///
  /// - Parameters:
  ///   - acknowledged: The list that it has.
  ///   - offer: What it was offered by an earlier run of this program, and has not acknowledged.
  ///   - seq: The number of the step of this list.
  ///   - backoff: The delays before it is started again.
  init(
    after acknowledged: ResultsSnapshot, offering offer: Offer = Offer(), seq: Int, _ options: ScriptOptions, backoff: Backoff = Backoff()
  ) {
    self.backoff = backoff
    pending = PendingChanges(after: acknowledged, offering: offer)
    hasChanges = !offer.isEmpty
    self.seq = seq
    self.options = options
    git = options.defersGit.map { GitCheck(limit: $0) }
  }

  /// Handles an event and returns what to do, in order.
  mutating func handle(_ event: Event, at now: SuspendingClock.Instant) -> [Action] {
    if isEnded { return [] }
    var actions: [Action] = []
    switch event {
    case .changed(let update):
      pending.add(update)
      hasChanges = true
    case .started: isStarted = true
    case .acknowledged(let acknowledgement): actions += acknowledged(acknowledgement)
    case .inputClosed: inputClosed(at: now)
    case .ended(let end): actions += ended(end, at: now)
    case .gitChecked(let operation): actions += gitChecked(operation, at: now)
    case .timer: actions += timer(at: now)
    case .continued: actions += continued()
    case .closed: isClosed = true
    case .cancelled:
      isCancelled = true
      actions += stop()
    }
    return actions + (isEnded ? [] : advance(at: now))
  }

  /// The list that the command has acknowledged.
  var acknowledged: ResultsSnapshot { pending.acknowledged }

  /// The rows that the command was offered and did not acknowledge.
  var offer: Offer { pending.offer }

  /// The state for people. A command that waits for changes is idle.
  var state: CommandState {
    if outstanding != nil { return .running }
    if wait == .parked { return .parked }
    return pending.isEmpty ? .idle : .waiting
  }

  // MARK: Events

  private mutating func acknowledged(_ acknowledgement: Acknowledgement) -> [Action] {
    guard process != nil else { return [] }
    if let update = outstanding, acknowledgement.seq == seq + 1 {
      outstanding = nil
      if process?.isInputClosed == false { deadline = nil }
      seq += 1
      pending.acknowledge(update)
      process?.hasAcknowledged = true
      process?.isTimedOut = false
      backoff.reset()
      failures = 0
      return [.acknowledge]
    }
    if process?.hasReportedInvalid == true { return [] }
    process?.hasReportedInvalid = true
    return [.report(.invalid(acknowledgement, expected: outstanding == nil ? nil : seq + 1))]
  }

  private mutating func inputClosed(at now: SuspendingClock.Instant) {
    guard let process, !process.isInputClosed else { return }
    self.process?.isInputClosed = true
    // It may be ending by itself.
    let limit = now + Self.inputGrace
    deadline = deadline.map { min($0, limit) } ?? limit
  }

  private mutating func timer(at now: SuspendingClock.Instant) -> [Action] {
    guard let deadline, now >= deadline else { return [] }
    self.deadline = nil
    // Otherwise a line waited for the end of a git operation.
    guard let process, !process.isStopping, outstanding != nil || process.isInputClosed else { return [] }
    self.process?.isTimedOut = outstanding != nil && !process.isInputClosed
    let isReported = process.isInputClosed && !process.hasEverything
    return (isReported ? [.report(.inputClosed)] : []) + stop()
  }

  private mutating func stop() -> [Action] {
    guard let process, !process.isStopping else { return [] }
    self.process?.isStopping = true
    deadline = nil
    return [.stop]
  }

  private mutating func continued() -> [Action] {
    guard wait == .parked else { return [] }
    wait = .none
    failures = 0
    backoff.reset()
    return [.report(.continued)]
  }

  private mutating func ended(_ end: RunEnd, at now: SuspendingClock.Instant) -> [Action] {
    guard let process else { return [] }
    // A line that the command did not acknowledge stays pending.
    let isOutstanding = outstanding != nil
    (self.process, outstanding, deadline) = (nil, nil, nil)
    if isOutstanding { hasChanges = true }
    let end = process.isTimedOut ? RunEnd.timedOut : end
    if isCancelled { return finish(.closed) }
    if isComplete, isClosed || options.runsOnce {
      // The command has everything. If it does not end with its input, that is not a failure.
      let status = process.isStopping ? 0 : end.exitStatus
      let report = status == 0 ? [] : [Action.report(.ended(end, .stop))]
      return report + finish(options.runsOnce ? .status(status) : .closed)
    }
    failures = process.hasAcknowledged ? 0 : failures + 1
    let isOver = options.runsOnce && options.onError != .retry
    if options.onError == .stop || isOver { return [.report(.ended(end, .stop))] + finish(.status(status(of: end))) }
    if isClosed { return finish(.closed) }
    let delay = backoff.fail()
    if failures < max(1, options.maxFailures) {
      wait = .time(now + delay)
      return [.report(.ended(end, .restart(after: delay)))]
    }
    wait = .parked
    let report = Action.report(.ended(end, .parked(ends: failures)))
    return options.runsOnce ? [report] + finish(.status(status(of: end))) : [report]
  }

  /// Returns the status with which the program ends after a process. It is not 0 if the command has
  /// not acknowledged everything.
  private func status(of end: RunEnd) -> CInt { end.isSuccess && !isComplete ? 1 : end.exitStatus }

  private mutating func finish(_ end: ScriptEnd) -> [Action] {
    isEnded = true
    return [.end(end)]
  }

  // MARK: Next steps

  /// True if the command has acknowledged every change.
  private var isComplete: Bool { outstanding == nil && (!hasChanges || pending.update == nil) }

  private mutating func advance(at now: SuspendingClock.Instant) -> [Action] {
    guard let process else { return advanceStopped(at: now) }
    if process.isStopping || process.isInputClosed || outstanding != nil { return [] }
    deadline = nil
    guard hasChanges, let update = pending.update else {
      hasChanges = false
      git?.cancelWait()
      return isClosed || (options.runsOnce && isStarted) ? endInput(at: now) : []
    }
    if let check = waitForGit(at: now) { return check }
    pending.offer(update)
    outstanding = update
    deadline = options.timeout.map { now + $0 }
    return [.send(update)]
  }

  /// Returns what to do before a line may be written; nil if it may be written now.
  private mutating func waitForGit(at now: SuspendingClock.Instant) -> [Action]? {
    switch git?.permission(at: now) {
    case nil, .granted:
      git?.runBegan()
      return nil
    case .denied:
      if let time = git?.nextTime { deadline = time }
      return []
    case .needsCheck: return [.checkGit]
    }
  }

  private mutating func gitChecked(_ operation: GitOperation?, at now: SuspendingClock.Instant) -> [Action] {
    guard let (operation, limit) = git?.record(operation, at: now) else { return [] }
    return [.report(.gitTooLong(operation, limit))]
  }

  private mutating func endInput(at now: SuspendingClock.Instant) -> [Action] {
    process?.isInputClosed = true
    process?.hasEverything = true
    deadline = now + (options.timeout ?? Self.endGrace)
    return [.endInput]
  }

  private mutating func advanceStopped(at now: SuspendingClock.Instant) -> [Action] {
    if isCancelled || isClosed && !options.runsOnce { return finish(.closed) }
    if options.runsOnce, isComplete { return isStarted ? finish(.status(0)) : [] }
    switch wait {
    case .parked: return []
    case .time(let time) where now < time:
      deadline = time
      return []
    case .none, .time:
      wait = .none
      deadline = nil
      process = Process()
      return [.start] + advance(at: now)
    }
  }
}
