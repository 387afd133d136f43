import ArgumentParser
import Glibc
import Printing
import Scripts
import StateStore
import Store
import Streams

extension WatchCommand {
  private enum End: Sendable {
    case signal(CInt)
    case command(CommandSink.End)
    case outputIsComplete
  }

  func run() async throws {
    if connect.isOn { return try runConnected() }
    if let missing = launch?.missingProgram() { throw Failure(.usage, missing) }
    // Until SIGHUP is handled below, it ends the program; then it may mean that this terminal was closed.
    let hadTerminal = Signals.haveTerminal
    let (signals, continuation) = AsyncStream<CInt>.makeStream()
    // Reading the folder may take a while, and the default action of these signals ends the
    // program. For SIGQUIT, Swift's runtime would also print a backtrace.
    Signals.listen(for: [SIGHUP, SIGUSR1, SIGQUIT], continuation)
    if command.isEmpty { Signals.discardOrphansAsFirstProcess() }
    // One thread reads a change and prints it, unless something else must go on meanwhile.
    let session = try Session(
      folder, view, cache, watching: resume.once ? nil : watching,
      on: command.isEmpty && !control ? NotesWatch.queue : nil)
    defer { if resume.once { session.recording.finish() } }
    session.warnAboutFrontMatter()
    if resume.once { try view.checkQuotes(session.results.snapshot.unquotedStrings) }
    let steps = session.hintAtRequest()
    let point = try await resumePoint(session)
    defer { point.state?.close() }
    reportLostPosition(point)
    // Otherwise only the command writes to the output: it goes on without a reader, for its other effects.
    if command.isEmpty || output != nil { StandardOutput.whenReaderIsGone { continuation.yield(SIGPIPE) } }
    // The default action would leave the state open, or the command running.
    if point.state != nil || !command.isEmpty { Signals.listen(for: [SIGINT, SIGTERM], continuation) }
    if !command.isEmpty { Signals.ignoreLostReaders() }
    let tokens = try tokens(from: point)
    let sink = launch.map { self.sink($0, session, tokens) }
    let warnings =
      resume.once ? nil : Task(executorPreference: session.service) { await session.followWarnings(steps) }
    defer { warnings?.cancel() }
    let service = Task(executorPreference: session.service) {
      let end = await session.serve(signals, hadTerminal: hadTerminal) { sink?.continueParked() }
      if let end, sink == nil {
        point.state?.close()
        Signals.end(by: end)
      }
      return end
    }
    guard let sink else {
      try await print(session, from: point)
      if resume.once { try checkIsRecorded(point, "the next run prints this again") }
      return
    }
    // This must come before the first `await`, so that the script gets every change from here on.
    let start = ScriptStart(
      point.start, offering: point.offer, of: session.results, runsInitially: script.runsInitially,
      log: point.state)
    // Printing may block the queue of the command, and must not hold back the end.
    try await withTaskExecutorPreference(session.service) {
      try await follow(sink, from: start, session, point, service)
    }
  }

  /// Runs the command and prints the stream, until a signal, an error or the command ends the program.
  private func follow(
    _ sink: CommandSink, from start: ScriptStart, _ session: Session, _ point: ResumePoint,
    _ service: Task<CInt?, Never>
  ) async throws {
    let running = Task(executorPreference: session.service) {
      await sink.follow(start) { session.hintAtPredicate() }
    }
    try await withThrowingTaskGroup(of: End.self) { group in
      if output != nil {
        group.addTask(executorPreference: NotesWatch.queue) {
          try await print(session, from: ResumePoint())
          return .outputIsComplete
        }
      }
      group.addTask { await service.value.map(End.signal) ?? .outputIsComplete }
      group.addTask { .command(await running.value) }
      // The first signal, error or end of the command ends the run. With --once, the output ends by
      // itself, too, and the end of the command waits for it.
      var isPrinted = !resume.once || output == nil
      var end = Result<End, any Error>.success(.outputIsComplete)
      while let next = await group.nextResult() {
        if case .success(.outputIsComplete) = next { isPrinted = true } else { end = next }
        if case .success(.outputIsComplete) = end { continue }
        if case .success(.command) = end, !isPrinted { continue }
        break
      }
      // Ends the script's process group and waits for it, not for the reader, which may have stopped reading.
      running.cancel()
      _ = await running.value
      point.state?.close()
      service.cancel()
      group.cancelAll()
      let result = try end.get()
      if resume.once, case .command(.status(0)) = result {
        try checkIsRecorded(point, "the next run gets the same")
      }
      switch result {
      case .signal(let signal): Signals.end(by: signal)
      case .command(.status(let status)): Self.exit(withError: ExitCode(status))
      case .command(.notRecorded): throw unrecorded("the command did not run")
      case .command(.closed), .outputIsComplete: break
      }
    }
  }

  private var launch: CommandLaunch? {
    if command.isEmpty { return nil }
    return CommandLaunch(
      command, output: output == nil ? .standardOutput : .standardError,
      label: script.settings.label(for: command))
  }

  private func sink(_ launch: CommandLaunch, _ session: Session, _ tokens: TokenSource) -> CommandSink {
    let isAlone = output == nil
    return CommandSink(
      launch, script.settings.options(runsOnce: resume.once), root: folder.folder, tokens: tokens,
      reportsProblems: isAlone, clock: WallClock.now,
      onEvent: { if isAlone { session.meter.record($0) } }, report: { StandardError.reportLine("\($0)") })
  }

  /// Reports on standard error that a position was lost, unless the stream has a line about it.
  private func reportLostPosition(_ point: ResumePoint) {
    guard case .gone(let failure) = point.start, output != .jsonl || !command.isEmpty else { return }
    StandardError.reportLine("\(failure)")
  }
}
