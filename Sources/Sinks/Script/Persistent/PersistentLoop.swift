import DirectoryWatch
import PlainStore
import Streams

/// Performs the actions of a `PersistentSchedule`: runs the command, writes its lines, and records
/// its position.
struct PersistentLoop {
  /// An event that the loop waits for.
  enum Event: Sendable {
    case stepIsReady
    case closed
    case conversation(ConversationEvent)
    case ended(RunEnd)
    case timer
    case continued
    case cancelled
  }

  /// A process of the command.
  private struct Process {
    let run: Task<Void, Never>
    /// Lines that are yielded here are written to it.
    let lines: AsyncStream<[UInt8]>.Continuation
    let gate: AcknowledgementGate
  }

  private let sink: PersistentSink
  private let start: ScriptStart
  private var schedule: PersistentSchedule
  private var position: CommandPosition
  private var records: RunRecords?
  private var process: Process?
  private var step: Task<Void, Never>?
  private var alarm = DeadlineAlarm()
  /// True until the first step came.
  private var isAtStart = true

  init(_ sink: PersistentSink, _ start: ScriptStart) {
    self.sink = sink
    self.start = start
    position = CommandPosition(start, sink.tokens)
    schedule = PersistentSchedule(
      after: start.list, offering: start.offer, seq: position.current.seq, sink.options, backoff: sink.backoff)
    if sink.options.ignoresOwn {
      records = RunRecords(root: sink.root, environment: sink.environment)
      if records == nil { sink.report(RunRecords.missingFolder) }
    }
  }

  /// Handles events until the schedule ends.
  mutating func run(onStep: @Sendable () -> Void) async -> ScriptEnd {
    position.recordStart()
    sink.onProgress(.advanced(position.current, start.list))
    onStep()
    reportRaised(start.list.problems.map(ProblemChange.raised))
    if let end = handleStep(onStep) ?? handle(.started) { return end }
    waitForStep()
    for await event in sink.events {
      if let end = handle(event, onStep) { return end }
    }
    return .closed
  }

  /// Stops the command and waits for its end. Removes the records of own writes.
  mutating func cancel() async {
    step?.cancel()
    alarm.reset()
    process?.run.cancel()
    await process?.run.value
    records?.end()
  }

  // MARK: Events

  private mutating func handle(_ event: Event, _ onStep: @Sendable () -> Void) -> ScriptEnd? {
    switch event {
    case .stepIsReady:
      let end = handleStep(onStep)
      waitForStep()
      return end
    case .closed: return handle(.closed)
    case .conversation(.acknowledgement(let acknowledgement)): return handle(.acknowledged(acknowledgement))
    case .conversation(.inputClosed): return handle(.inputClosed)
    case .ended(let end):
      process = nil
      sink.onProgress(.runEnded(end))
      position.cancelOffer()
      return handle(.ended(end))
    case .timer:
      alarm.reset()
      return handle(.timer)
    case .continued: return handle(.continued)
    case .cancelled: return handle(.cancelled)
    }
  }

  private mutating func waitForStep() {
    // With --once the folder is not watched, so no other step comes.
    if sink.options.runsOnce { return }
    step = Task(executorPreference: sink.executor) { [subscription = start.subscription, continuation = sink.continuation] in
      continuation.yield(await subscription.hasStep() ? .stepIsReady : .closed)
    }
  }

  /// Handles the step that is due; there may be none.
  private mutating func handleStep(_ onStep: @Sendable () -> Void) -> ScriptEnd? {
    guard case .step(let update, let problems)? = start.subscription.consumeEvent() else { return nil }
    onStep()
    reportRaised(problems)
    guard let update else { return nil }
    sink.onProgress(.changed)
    defer { isAtStart = false }
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
  private mutating func handle(_ event: PersistentSchedule.Event) -> ScriptEnd? {
    var mustLaunch = false
    for action in schedule.handle(event, at: .now) {
      switch action {
      case .start: mustLaunch = true
      case .send(let update):
        // With --once, the command only starts if its update is recorded.
        let offer = position.offer(update, time: sink.clock())
        if sink.options.runsOnce, !offer.isRecorded { return .notRecorded }
        if mustLaunch { launch() }
        mustLaunch = false
        send(update, offer.line, at: offer.position)
      case .acknowledge:
        position.acknowledge()
        sink.onProgress(.advanced(position.current, schedule.acknowledged))
      case .skip(let update):
        position.skip(update)
        sink.onProgress(.advanced(position.current, schedule.acknowledged))
      case .checkGit:
        let operation = GitOperation.inProgress(above: RootPath(sink.root).resolvedOrAbsolute)
        if mustLaunch { launch() }
        // It is the last action.
        return handle(.gitChecked(operation))
      case .endInput: process?.lines.finish()
      case .stop: process?.run.cancel()
      case .report(let report): sink.report(report.message(about: sink.launch.program, seq: schedule.seq, sink.launch.advice))
      case .end(let end): return end
      }
    }
    if mustLaunch { launch() }
    sink.onProgress(.state(schedule.state))
    alarm.set(schedule.deadline) { [continuation = sink.continuation] in continuation.yield(.timer) }
    return nil
  }

  private mutating func launch() {
    let (lines, continuation) = AsyncStream<[UInt8]>.makeStream()
    let gate = AcknowledgementGate()
    let root = Array(RootPath(sink.root).resolvedOrAbsolute.utf8)
    let id = RunID()
    records?.begin(id)
    sink.onProgress(.runBegan)
    let run = Task(executorPreference: sink.executor) { [runner = sink.runner, events = sink.continuation] in
      let environment = [(name: "NOTES_WATCH_ROOT", value: root), (RunID.variable, Array(id.description.utf8))]
      let end = await runner.converse(environment: environment, lines: lines) { event in
        if case .acknowledgement(let acknowledgement) = event, !gate.passes(acknowledgement) { return }
        events.yield(.conversation(event))
      }
      events.yield(.ended(end))
    }
    process = Process(run: run, lines: continuation, gate: gate)
  }

  private func send(_ update: ResultsUpdate, _ line: [UInt8], at position: StreamPosition) {
    sink.onEvent(.step(update: update, problems: []))
    process?.gate.expect(position.seq)
    process?.lines.yield(line)
  }
}
