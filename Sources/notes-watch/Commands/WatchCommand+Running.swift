import ArgumentParser
import Glibc
import PlainStore
import PlainText
import Sinks

extension WatchCommand {
  func run() async throws {
    // Before a hang-up is listened for: until then it ends the program, and from then on it may be that of this terminal.
    let hadTerminal = StandardStreams.haveTerminal
    let (signals, continuation) = AsyncStream<CInt>.makeStream()
    // Before the folder is read, which may take a while: their default action is to end the program; and for SIGQUIT Swift's runtime would write a backtrace.
    await Signals.listen(for: [SIGHUP, SIGUSR1, SIGQUIT], continuation)
    if command.isEmpty { Signals.discardOrphansAsFirstProcess() }
    let session = try Session(folder, view, watching: true, watch: watching)
    session.warnAboutFrontMatter()
    session.hintAtRequest()
    // If only the command writes there, the watch outlives the reader: the command may be run for what else it does.
    if command.isEmpty || output != nil { StandardOutput.whenReaderIsGone { continuation.yield(SIGPIPE) } }
    // A queue of its own, as each that may have to wait for a reader of our output has.
    let service = Task(executorPreference: QueueExecutor("service")) {
      let end = await session.serve(signals, hadTerminal: hadTerminal)
      if let end, command.isEmpty { Signals.end(by: end) }
      return end
    }
    guard let script = try await script(session) else {
      return try await print(session)
    }
    // Before anything is awaited: what changes from here on is for the script.
    let (start, steps) = session.results.snapshotAndSteps()
    await Signals.listen(for: [SIGINT, SIGTERM], continuation)
    let running = Task(executorPreference: QueueExecutor("script")) {
      await script.follow(from: start, steps) { session.hintAtPredicate() }
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
      // The script's process group is told to end, and is waited for. Whoever reads our output is not: it may have stopped reading.
      running.cancel()
      await running.value
      service.cancel()
      group.cancelAll()
      if let signal = try end.get() { Signals.end(by: signal) }
    }
  }

  /// Nil where no command was given.
  private func script(_ session: Session) async throws -> ScriptSink? {
    if command.isEmpty { return nil }
    let isAlone = output == nil
    let script = ScriptSink(
      command, output: isAlone ? .standardOutput : .standardError, reportsProblems: isAlone, clock: Clock.now,
      onEvent: { if isAlone { session.meter.record($0) } }
    ) {
      StandardError.writeLine("notes-watch: \($0)")
    }
    if let missing = await script.missingProgram() { throw Failure.exit(.usage, missing) }
    return script
  }

  private func print(_ session: Session) async throws {
    switch output ?? .text {
    case .text:
      var sink = TextSink(root: folder.folder, options: .standardOutput(colors.color), output: StandardOutput(), clock: Clock.local)
      for await event in session.results.events {
        // The window may have another size by now.
        sink.options = .standardOutput(colors.color)
        try sink.receive(event)
        session.meter.record(event)
        session.hintAtPredicate()
      }
    case .jsonl:
      var sink = JSONLinesSink(StandardOutput(), clock: Clock.now)
      try sink.begin(root: folder.folder, view: session.view.written)
      if let since { try sink.report(code: "gone", message: "The token \(since) cannot be gone on from; the whole list follows.") }
      if control { return try await printControlled(session, sink) }
      for await event in session.results.events {
        try sink.receive(event)
        session.meter.record(event)
        session.hintAtPredicate()
      }
    }
  }

  /// Until the results are gone or nobody takes the output; the end of the input only ends the control.
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
  /// What ends the run: a signal or an error, whichever comes first.
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
