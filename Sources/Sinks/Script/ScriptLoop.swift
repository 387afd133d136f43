import DirectoryWatch
import PlainStore
import Streams

/// Performs the actions of a `ScriptSchedule`: runs the command, and records its position.
struct ScriptLoop {
  /// An event that the loop waits for.
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
  private var position: CommandPosition
  private var records: RunRecords?
  private var run: Task<Void, Never>?
  private var step: Task<Void, Never>?
  private var alarm = DeadlineAlarm()
  /// True until the step at the start was handled.
  private var isAtStart = true

  init(_ sink: ScriptSink, _ start: ScriptStart) {
    self.sink = sink
    self.start = start
    schedule = ScriptSchedule(after: start.list, offering: start.offer, sink.options)
    position = CommandPosition(start, sink.tokens)
    if sink.options.ignoresOwn {
      records = RunRecords(root: sink.root, environment: sink.environment)
      if records == nil { sink.report(RunRecords.missingFolder) }
    }
  }

  /// Handles events until the schedule ends, the list is closed or the task is cancelled.
  mutating func run(onStep: () -> Void) async -> ScriptEnd {
    position.recordStart()
    sink.onProgress(.advanced(position.current, start.list))
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
        sink.onProgress(.runEnded(result))
        end = handle(.runEnded(result))
      case .timer:
        alarm.reset()
        end = handle(.timer)
      case .continued: end = handle(.continued)
      }
      if let end { return end }
    }
    return .closed
  }

  /// Stops the run and waits for its end. Removes the records of own writes.
  mutating func cancel() async {
    step?.cancel()
    alarm.reset()
    run?.cancel()
    await run?.value
    records?.end()
  }

  // MARK: Events

  private mutating func waitForStep() {
    // With --once the folder is not watched, so no other step comes.
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
    sink.onProgress(.changed)
    return handle(.changed(isAtStart ? start.first(update) : update, own: records?.ownChanges(in: update) ?? []))
  }

  /// The command receives updates. Problems of files are for the person who started the program.
  private func reportRaised(_ problems: [ProblemChange]) {
    guard sink.reportsProblems else { return }
    let folder = FolderName(sink.root)
    for case .raised(let problem) in problems { sink.report(folder.description(of: problem)) }
  }

  // MARK: Actions

  /// Passes an event to the schedule, and performs its actions. Returns the end if there is one.
  private mutating func handle(_ event: ScriptSchedule.Event) -> ScriptEnd? {
    for action in schedule.handle(event, at: .now) {
      switch action {
      case .run(let update): if !begin(update) { return .notRecorded }
      case .stopRun: run?.cancel()
      case .acknowledgeRun:
        position.acknowledge()
        sink.onProgress(.advanced(position.current, schedule.pending.acknowledged))
      case .skip(let update):
        position.skip(update)
        sink.onProgress(.advanced(position.current, schedule.pending.acknowledged))
      case .checkGit:
        let operation = GitOperation.inProgress(above: RootPath(sink.root).resolvedOrAbsolute)
        // It is the last action.
        return handle(.gitChecked(operation))
      case .report(let report): sink.report(report.message(about: sink.launch.program, seq: position.current.seq, sink.launch.advice))
      case .end(let end): return end
      }
    }
    sink.onProgress(.state(schedule.state))
    alarm.set(schedule.deadline) { [continuation = sink.continuation] in continuation.yield(.timer) }
    return nil
  }

  /// Begins a run. Returns false if none may begin: with `--once`, its update has to be recorded.
  private mutating func begin(_ update: ResultsUpdate) -> Bool {
    let since = position.current
    let offer = position.offer(update, time: sink.clock())
    if sink.options.runsOnce, !offer.isRecorded { return false }
    let id = RunID()
    records?.begin(id)
    let input = ScriptInput(
      of: update, line: offer.line, from: since, to: offer.position,
      root: Array(RootPath(sink.root).resolvedOrAbsolute.utf8), run: id, options: sink.options)
    sink.onEvent(.step(update: update, problems: []))
    sink.onProgress(.runBegan)
    run = Task(executorPreference: sink.executor) { [sink] in
      let end = await sink.runner.run(input: input.bytes, environment: input.environment, timeout: sink.options.timeout)
      sink.continuation.yield(.runEnded(end))
    }
    return true
  }
}
