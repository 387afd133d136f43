import DirectoryWatch
import PlainStore

/// Does what a `ScriptSchedule` decides: runs the command, and records its position.
struct ScriptLoop {
  /// Something that happened while nothing else is done.
  enum Event: Sendable {
    case stepIsReady
    case closed
    case runEnded(RunEnd)
    case timer
    case continued
  }

  private let sink: ScriptSink
  private let start: ScriptStart
  private var schedule: ScriptSchedule
  /// The position of the command.
  private var encoder: StreamEncoder
  /// The position of the command if the run that is going on succeeds.
  private var attempt: StreamEncoder?
  private var records: RunRecords?
  private var run: Task<Void, Never>?
  private var step: Task<Void, Never>?
  private var alarm: (time: SuspendingClock.Instant, alarm: Alarm)?
  /// True until the step that is there at the start was handled.
  private var isAtStart = true

  init(_ sink: ScriptSink, _ start: ScriptStart) {
    self.sink = sink
    self.start = start
    schedule = ScriptSchedule(after: start.list, sink.options)
    encoder = StreamEncoder(at: start.position, tokens: sink.tokens)
    if sink.options.ignoresOwn {
      records = RunRecords(root: sink.root, environment: sink.environment)
      if records == nil { sink.report(RunRecords.missingFolder) }
    }
  }

  /// Handles events until the schedule ends, the list is closed or the task is cancelled.
  mutating func run(onStep: () -> Void) async -> ScriptEnd {
    recordStart()
    onStep()
    reportRaised(start.list.problems.map(ProblemChange.raised))
    if let end = handleStep(onStep: onStep) ?? handle(.started) { return end }
    isAtStart = false
    waitForStep()
    for await event in sink.events {
      let end: ScriptEnd?
      switch event {
      case .stepIsReady:
        end = handleStep(onStep: onStep)
        waitForStep()
      case .closed: end = handle(.closed)
      case .runEnded(let result):
        run = nil
        end = handle(.runEnded(result))
      case .timer:
        alarm = nil
        end = handle(.timer)
      case .continued: end = handle(.continued)
      }
      if let end { return end }
    }
    return .closed
  }

  /// Stops the run and waits for its end. Removes what was made for runs.
  mutating func cancel() async {
    step?.cancel()
    alarm?.alarm.cancel()
    run?.cancel()
    await run?.value
    records?.end()
  }

  /// Records the position of a command that has none yet.
  private mutating func recordStart() {
    if start.position != nil { return }
    if !start.isFromNothing { encoder.begin(start.list) }
    start.log?.begin(start.list, at: encoder.position, isAcknowledged: true)
  }

  // MARK: Events

  private mutating func waitForStep() {
    // Without a watch there is no step after the first.
    if sink.options.runsOnce { return }
    step = Task(executorPreference: sink.executor) { [subscription = start.subscription, continuation = sink.continuation] in
      continuation.yield(await subscription.hasStep() ? .stepIsReady : .closed)
    }
  }

  /// Handles the step that is due; there may be none.
  private mutating func handleStep(onStep: () -> Void) -> ScriptEnd? {
    guard case .step(let update, let problems)? = start.subscription.consumeEvent() else { return nil }
    onStep()
    reportRaised(problems)
    guard let update else { return nil }
    return handle(.changed(isAtStart ? start.first(update) : update, own: records?.ownChanges(in: update) ?? []))
  }

  /// The command receives updates. Problems of files are for the person who started the program.
  private func reportRaised(_ problems: [ProblemChange]) {
    guard sink.reportsProblems else { return }
    for case .raised(let problem) in problems { sink.report(problem.description) }
  }

  // MARK: Actions

  /// Passes an event to the schedule, and does what it decides. Returns the end if there is one.
  private mutating func handle(_ event: ScriptSchedule.Event) -> ScriptEnd? {
    for action in schedule.handle(event, at: .now) {
      switch action {
      case .run(let update): begin(update)
      case .stopRun: run?.cancel()
      case .acknowledgeRun: acknowledgeAttempt()
      case .skip(let update): skip(update)
      case .checkGit:
        let operation = GitOperation.inProgress(above: RootPath(sink.root).resolvedOrAbsolute)
        // It is the last action.
        return handle(.gitChecked(operation))
      case .report(let report): sink.report(report.message(about: sink.launch.program, seq: encoder.position.seq))
      case .end(let end): return end
      }
    }
    setAlarm()
    return nil
  }

  private mutating func begin(_ update: ResultsUpdate) {
    var attempt = encoder
    let line = attempt.update(update, time: sink.clock())
    start.log?.offer(update, at: attempt.position)
    let id = RunID()
    records?.begin(id)
    let input = ScriptInput(
      of: update, line: line, from: encoder.position, to: attempt.position,
      root: Array(RootPath(sink.root).resolvedOrAbsolute.utf8), run: id, options: sink.options)
    self.attempt = attempt
    sink.onEvent(.step(update: update, problems: []))
    run = Task(executorPreference: sink.executor) { [sink] in
      let end = await sink.runner.run(input: input.bytes, environment: input.environment, timeout: sink.options.timeout)
      sink.continuation.yield(.runEnded(end))
    }
  }

  private mutating func acknowledgeAttempt() {
    guard let attempt else { return }
    encoder = attempt
    self.attempt = nil
    _ = start.log?.acknowledge(encoder.position.token)
  }

  private mutating func skip(_ update: ResultsUpdate) {
    encoder.skip(update)
    start.log?.offer(update, at: encoder.position)
    _ = start.log?.acknowledge(encoder.position.token)
  }

  /// Sets the timer of the schedule's deadline.
  private mutating func setAlarm() {
    if alarm?.time == schedule.deadline { return }
    alarm?.alarm.cancel()
    alarm = schedule.deadline.map { [continuation = sink.continuation] time in
      (time, Alarm(after: max(.zero, SuspendingClock.now.duration(to: time))) { continuation.yield(.timer) })
    }
  }
}
