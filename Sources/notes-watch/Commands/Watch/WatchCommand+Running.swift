import ArgumentParser
import Glibc
import PlainStore
import PlainText
import Sinks

extension WatchCommand {
  func run() async throws {
    // Until SIGHUP is handled below, it ends the program. From then on it may mean that this
    // terminal was closed.
    let hadTerminal = StandardStreams.haveTerminal
    let (signals, continuation) = AsyncStream<CInt>.makeStream()
    // Reading the folder may take a while, and the default action of these signals ends the
    // program. For SIGQUIT, Swift's runtime would also print a backtrace.
    await Signals.listen(for: [SIGHUP, SIGUSR1, SIGQUIT], continuation)
    if command.isEmpty { Signals.discardOrphansAsFirstProcess() }
    let session = try Session(folder, view, watching: true, watch: watching)
    session.warnAboutFrontMatter()
    session.hintAtRequest()
    // If only the command writes to the output, the watch continues without a reader: the command
    // may have other effects.
    if command.isEmpty || output != nil { StandardOutput.whenReaderIsGone { continuation.yield(SIGPIPE) } }
    // Every task that may block on the output has its own queue.
    let service = Task(executorPreference: QueueExecutor("service")) {
      let end = await session.serve(signals, hadTerminal: hadTerminal)
      if let end, command.isEmpty { Signals.end(by: end) }
      return end
    }
    guard let script = try await script(session) else {
      return try await print(session)
    }
    // This must come before the first `await`, so that the script gets every change from here on.
    let (start, steps) = session.results.snapshotAndSteps()
    await Signals.listen(for: [SIGINT, SIGTERM], continuation)
    let running = Task(executorPreference: QueueExecutor("script")) {
      _ = await script.follow(ScriptStart(list: start, subscription: steps)) { session.hintAtPredicate() }
    }
    try await withThrowingTaskGroup(of: CInt?.self) { group in
      if output != nil {
        group.addTask(executorPreference: QueueExecutor("output")) {
          try await print(session)
          return nil
        }
      }
      group.addTask { await service.value }
      let end = await group.firstEnd()
      // Ends the script's process group and waits for it. The reader of the output is not waited
      // for: it may have stopped reading.
      running.cancel()
      await running.value
      service.cancel()
      group.cancelAll()
      if let signal = try end.get() { Signals.end(by: signal) }
    }
  }

  /// Returns the sink that runs the command; nil if no command was given.
  private func script(_ session: Session) async throws -> ScriptSink? {
    if command.isEmpty { return nil }
    let isAlone = output == nil
    let script = ScriptSink(
      CommandLaunch(command, output: isAlone ? .standardOutput : .standardError), root: folder.folder, reportsProblems: isAlone,
      clock: Clock.now, onEvent: { if isAlone { session.meter.record($0) } }
    ) {
      StandardError.writeLine("notes-watch: \($0)")
    }
    if let missing = await script.missingProgram() { throw Failure.report(.usage, missing) }
    return script
  }

  private func print(_ session: Session) async throws {
    switch output ?? .text {
    case .text:
      var sink = TextSink(root: folder.folder, options: .standardOutput(colors.color), output: StandardOutput(), clock: Clock.local)
      for await event in session.results.events {
        // The size of the terminal may have changed.
        sink.options = .standardOutput(colors.color)
        try sink.receive(event)
        session.meter.record(event)
        session.hintAtPredicate()
      }
    case .jsonl:
      var sink = JSONLinesSink(StandardOutput(), clock: Clock.now)
      try sink.begin(root: folder.folder, view: session.view.written)
      if let since = resume.since {
        try sink.report(code: "gone", message: "Cannot resume from token \(since); sending the complete list.", why: .unknownToken)
      }
      if control { return try await printControlled(session, sink) }
      for await event in session.results.events {
        try sink.receive(event)
        session.meter.record(event)
        session.hintAtPredicate()
      }
    }
  }

  /// Prints the stream and answers control lines until the results or the output end. The end of
  /// the input ends only the control.
  private func printControlled(_ session: Session, _ sink: sending JSONLinesSink<StandardOutput>) async throws {
    let stream = ControlledStream(
      session.results, own: try view.definition(), resolving: { view.resolver($0) }, sink, onEvent: { session.meter.record($0) })
    let input = StandardInput()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        while let line = await input.nextLine() {
          try await stream.answer(line)
          session.hintAtPredicate()
        }
        return false
      }
      group.addTask {
        while try await stream.printNext() { session.hintAtPredicate() }
        return true
      }
      for try await isOver in group where isOver { group.cancelAll() }
    }
  }
}

extension ThrowingTaskGroup<CInt?, any Error> {
  /// Returns the first signal or error, which ends the run.
  fileprivate mutating func firstEnd() async -> Result<CInt?, any Error> {
    while let result = await nextResult() {
      switch result {
      case .success(nil): continue
      default: return result
      }
    }
    return .success(nil)
  }
}
