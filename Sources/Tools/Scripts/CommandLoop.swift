import Store
import Streams
import Synchronization
import Processes

/// Performs the actions of a `CommandSchedule`: runs the command, writes lines, records its position.
struct CommandLoop {
  enum Signal {
    case step
    case event(CommandSchedule.Event)
  }

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
  /// The alarm of the schedule, and its time. A released alarm is cancelled.
  private var alarm: (time: SuspendingClock.Instant, alarm: Alarm)?
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

  mutating func run(onStep: @Sendable () -> Void) async -> CommandSink.End {
    position.recordStart()
    reportPosition()
    onStep()
    reportRaised(start.list.problems.map(ProblemChange.raised))
    if let end = handleStep(onStep) ?? handle(.started) { return end }
    isAtStart = false
    waitForStep()
    for await signal in sink.signals {
      let end: CommandSink.End?
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

  mutating func cancel() async {
    step?.cancel()
    alarm = nil
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

  private mutating func handleStep(_ onStep: @Sendable () -> Void) -> CommandSink.End? {
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
  private mutating func handle(_ event: CommandSchedule.Event) -> CommandSink.End? {
    if case .timer = event { alarm = nil }
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
    setAlarm(schedule.deadline)
    return nil
  }

  private mutating func setAlarm(_ deadline: SuspendingClock.Instant?) {
    if alarm?.time == deadline { return }
    alarm = deadline.map { time in
      let delay = max(.zero, SuspendingClock.now.duration(to: time))
      return (time, Alarm(after: delay) { [events = sink.continuation] in events.yield(.event(.timer)) })
    }
  }

  private func report(_ report: CommandReport) {
    sink.report(
      report.message(
        about: sink.launch.program, isPersistent: sink.options.isPersistent, seq: position.current.seq,
        sink.launch.advice))
  }

  /// Records an update as the next step, and runs the command for it or writes its line. Returns false
  /// if nothing was delivered: with `--once`, the update has to be recorded.
  private mutating func deliver(_ update: ListUpdate<Item>, starting mustStart: Bool) -> Bool {
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

  private var root: [UInt8] { Array(RootPath(sink.root).resolvedOrAbsolute.utf8) }

  private mutating func startProcess() {
    let (lines, continuation) = AsyncStream<[UInt8]>.makeStream()
    let gate = AcknowledgementGate()
    sink.onProgress(.runBegan)
    let task = Task(executorPreference: sink.executor) {
      [runner = sink.runner, events = sink.continuation, root] in
      let end = await runner.converse(environment: [(name: "NOTES_WATCH_ROOT", value: root)], lines: lines) {
        if gate.passes($0) { events.yield(.event(.acknowledged($0))) }
      } onInputClosed: {
        events.yield(.event(.inputClosed))
      }
      events.yield(.event(.ended(end)))
    }
    process = Process(task: task, lines: continuation, gate: gate)
  }
}

/// The position of a command, and the attempt to move it past the next update.
private struct CommandPosition {
  private let start: ScriptStart
  private var encoder: StreamEncoder
  /// The position of the command if it acknowledges the update that was offered last.
  private var attempt: StreamEncoder?

  init(_ start: ScriptStart, _ tokens: TokenSource) {
    self.start = start
    encoder = StreamEncoder(at: start.position, tokens: tokens)
    if start.position == nil, !start.isFromNothing { encoder.positions.begin(with: start.list) }
  }

  var current: StreamPosition { encoder.position }

  /// Records the position of a command that isn't in the log yet.
  func recordStart() {
    if start.position != nil { return }
    start.log?.begin(start.list, at: current, isAcknowledged: true)
  }

  /// Records an update that is about to be delivered, if that is possible, and makes its line.
  mutating func offer(_ update: ListUpdate<Item>, time: Timestamp) -> (
    line: [UInt8], position: StreamPosition, isRecorded: Bool
  ) {
    var attempt = encoder
    let line = attempt.update(update, time: time)
    // If this program is killed after the delivery, the token of the update must be known, and what
    // it may have changed outside.
    start.log?.offer(update, at: attempt.position)
    self.attempt = attempt
    return (line, attempt.position, start.log?.isRecorded ?? true)
  }

  mutating func acknowledge() {
    guard let attempt else { return }
    encoder = attempt
    self.attempt = nil
    _ = start.log?.acknowledge(current.token)
  }

  mutating func skip(_ update: ListUpdate<Item>) {
    encoder.positions.skip(update)
    start.log?.offer(update, at: current)
    _ = start.log?.acknowledge(current.token)
  }
}

/// A filter for the acknowledgements of one process. It passes that of the outstanding line and the
/// first invalid one, so that a command that prints many numbers cannot fill the queue of events.
private final class AcknowledgementGate: Sendable {
  /// The number of the line that was written and not acknowledged; -1 if there is none.
  private let expected = Atomic(-1)
  private let hasPassedInvalid = Atomic(false)

  func expect(_ seq: Int) { expected.store(seq, ordering: .sequentiallyConsistent) }

  func passes(_ acknowledgement: String) -> Bool {
    if let seq = Int(acknowledgement),
      expected.compareExchange(expected: seq, desired: -1, ordering: .sequentiallyConsistent).exchanged
    {
      return true
    }
    return !hasPassedInvalid.exchange(true, ordering: .sequentiallyConsistent)
  }
}
