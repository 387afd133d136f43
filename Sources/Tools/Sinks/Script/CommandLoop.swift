import Files
import PlainStore
import Streams
import Watch

/// Performs the actions of a `CommandSchedule`: runs the command, writes its lines, and records its
/// position.
struct CommandLoop {
  /// Something that the loop waits for.
  enum Signal: Sendable {
    /// A step of the list may be ready.
    case step
    case event(CommandSchedule.Event)
  }

  /// A run, or the process that reads lines.
  private struct Process {
    let task: Task<Void, Never>
    /// Lines that are yielded here are written to the process. Nil for a run.
    var lines: AsyncStream<[UInt8]>.Continuation?
    var gate: AcknowledgementGate?
  }

  private let sink: CommandSink
  private let start: ScriptStart
  private var schedule: CommandSchedule
  private var position: CommandPosition
  private var process: Process?
  private var step: Task<Void, Never>?
  private var alarm = DeadlineAlarm()
  /// True until the step at the start was handled.
  private var isAtStart = true

  init(_ sink: CommandSink, _ start: ScriptStart) {
    self.sink = sink
    self.start = start
    position = CommandPosition(start, sink.tokens)
    schedule = CommandSchedule(
      after: start.list, offering: start.offer, seq: position.current.seq, sink.options, backoff: sink.backoff
    )
  }

  /// Handles events until the schedule ends.
  mutating func run(onStep: @Sendable () -> Void) async -> ScriptEnd {
    position.recordStart()
    reportPosition()
    onStep()
    reportRaised(start.list.problems.map(ProblemChange.raised))
    if let end = handleStep(onStep) ?? handle(.started) { return end }
    isAtStart = false
    waitForStep()
    for await signal in sink.signals {
      let end: ScriptEnd?
      switch signal {
      case .step:
        end = handleStep(onStep)
        waitForStep()
      case .event(let event): end = handle(event)
      }
      if let end { return end }
    }
    return .closed
  }

  /// Stops the command and waits for its end.
  mutating func cancel() async {
    step?.cancel()
    alarm.reset()
    process?.task.cancel()
    await process?.task.value
  }

  // MARK: Steps

  private mutating func waitForStep() {
    // With --once the folder is not watched, so no other step comes.
    if sink.options.runsOnce { return }
    step = Task(executorPreference: sink.executor) {
      [subscription = start.subscription, continuation = sink.continuation] in
      continuation.yield(await subscription.hasStep() ? .step : .event(.closed))
    }
  }

  /// Handles the step that is due; there may be none.
  private mutating func handleStep(_ onStep: @Sendable () -> Void) -> ScriptEnd? {
    guard case .step(let update, let problems)? = start.subscription.consumeEvent() else { return nil }
    onStep()
    reportRaised(problems)
    guard let update else { return nil }
    sink.onProgress(.changed)
    return handle(.changed(isAtStart ? start.first(update) : update))
  }

  /// The command receives updates. Problems of files are for the person who started the program.
  private func reportRaised(_ problems: [ProblemChange]) {
    guard sink.reportsProblems else { return }
    let folder = FolderName(sink.root)
    for case .raised(let problem) in problems { sink.report(folder.description(of: problem)) }
  }

  private func reportPosition() {
    sink.onProgress(.advanced(position.current, schedule.pending.acknowledged))
  }

  // MARK: Actions

  /// Passes an event to the schedule, and performs its actions. Returns the end if there is one.
  private mutating func handle(_ event: CommandSchedule.Event) -> ScriptEnd? {
    if case .timer = event { alarm.reset() }
    if case .ended(let end) = event {
      process = nil
      sink.onProgress(.runEnded(end))
    }
    var mustStart = false
    for action in schedule.handle(event, at: .now) {
      switch action {
      case .start: mustStart = true
      case .deliver(let update):
        if !deliver(update, starting: mustStart) { return .notRecorded }
        mustStart = false
      case .stop: process?.task.cancel()
      case .endInput: process?.lines?.finish()
      case .acknowledge:
        position.acknowledge()
        reportPosition()
      case .skip(let update):
        position.skip(update)
        reportPosition()
      case .checkGit:
        let operation = GitOperation.inProgress(above: RootPath(sink.root).resolvedOrAbsolute)
        if mustStart { startProcess() }
        // It is the last action.
        return handle(.gitChecked(operation))
      case .report(let report): self.report(report)
      case .end(let end): return end
      }
    }
    if mustStart { startProcess() }
    sink.onProgress(.state(schedule.state))
    alarm.set(schedule.deadline) { [continuation = sink.continuation] in continuation.yield(.event(.timer)) }
    return nil
  }

  private func report(_ report: CommandReport) {
    sink.report(
      report.message(
        about: sink.launch.program, isPersistent: sink.options.isPersistent, seq: position.current.seq,
        sink.launch.advice))
  }

  /// Records an update as the next step, and runs the command for it or writes its line.
  ///
  /// - Parameter mustStart: True if the process that reads the line is not started yet.
  /// - Returns: False if nothing was delivered: with `--once`, the update has to be recorded.
  private mutating func deliver(_ update: ResultsUpdate, starting mustStart: Bool) -> Bool {
    let since = position.current
    let offer = position.offer(update, time: sink.clock())
    if sink.options.runsOnce, !offer.isRecorded { return false }
    if sink.options.isPersistent {
      if mustStart { startProcess() }
      sink.onEvent(.step(update: update, problems: []))
      process?.gate?.expect(offer.position.seq)
      process?.lines?.yield(offer.line)
    } else {
      let input = ScriptInput(
        of: update, line: offer.line, from: since, to: offer.position, root: root, options: sink.options)
      sink.onEvent(.step(update: update, problems: []))
      sink.onProgress(.runBegan)
      process = Process(
        task: Task(executorPreference: sink.executor) { [sink] in
          let end = await sink.runner.run(
            input: input.bytes, environment: input.environment, timeout: sink.options.timeout)
          sink.continuation.yield(.event(.ended(end)))
        })
    }
    return true
  }

  /// The absolute path of the folder, without links.
  private var root: [UInt8] { Array(RootPath(sink.root).resolvedOrAbsolute.utf8) }

  private mutating func startProcess() {
    let (lines, continuation) = AsyncStream<[UInt8]>.makeStream()
    let gate = AcknowledgementGate()
    sink.onProgress(.runBegan)
    let task = Task(executorPreference: sink.executor) {
      [runner = sink.runner, events = sink.continuation, root] in
      let end = await runner.converse(environment: [(name: "NOTES_WATCH_ROOT", value: root)], lines: lines) {
        event in
        switch event {
        case .acknowledgement(let number):
          if gate.passes(number) { events.yield(.event(.acknowledged(number))) }
        case .inputClosed: events.yield(.event(.inputClosed))
        }
      }
      events.yield(.event(.ended(end)))
    }
    process = Process(task: task, lines: continuation, gate: gate)
  }
}
