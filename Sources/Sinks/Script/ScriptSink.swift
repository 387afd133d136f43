import DirectoryWatch
package import PlainStore
package import PlainText
package import Streams

/// Runs a command for each update, one at a time, with the update's JSON line on its standard
/// input.
///
/// Changes during a run are in the next run, as one diff. The position of the command only moves
/// when a run ended with the exit code 0; `ScriptSchedule` decides when the changes of a failed run
/// come again. No shell is involved, and no content of a file is in the arguments or the
/// environment.
package struct ScriptSink: Sendable {
  let launch: CommandLaunch
  let options: ScriptOptions
  let root: String
  let tokens: TokenSource
  let environment: [String: String]
  var runner: CommandRunner
  let clock: @Sendable () -> Timestamp
  let reportsProblems: Bool
  let onEvent: @Sendable (ResultsEvent) -> Void
  let onProgress: @Sendable (CommandProgress) -> Void
  let report: @Sendable (String) -> Void
  let executor = QueueExecutor("script events")
  let events: AsyncStream<ScriptLoop.Event>
  let continuation: AsyncStream<ScriptLoop.Event>.Continuation

  /// The stream of this program that the command writes to.
  package enum Stream: Sendable {
    case standardOutput
    case standardError
  }

  /// Makes a sink.
  ///
  /// - Parameters:
  ///   - launch: The command, and how to run it.
  ///   - options: When it runs, and what it gets.
  ///   - root: The path of the folder with the items.
  ///   - tokens: Makes the tokens of the updates.
  ///   - environment: The variables `XDG_STATE_HOME` and `HOME`, for the records of own writes.
  ///   - reportsProblems: True to pass the problems of files to `report`, too, if nothing else
  ///     prints them.
  ///   - clock: Returns the current time, for the `time` of updates.
  ///   - onEvent: Called with each update just before the command runs for it.
  ///   - onProgress: Called with each step, for a status.
  ///   - report: Receives the messages for the person who started the program, such as one about
  ///     each failed run.
  package init(
    _ launch: CommandLaunch, _ options: ScriptOptions = ScriptOptions(), root: String, tokens: TokenSource = TokenSource(),
    environment: [String: String] = [:], reportsProblems: Bool = false, clock: @escaping @Sendable () -> Timestamp,
    onEvent: @escaping @Sendable (ResultsEvent) -> Void = { _ in },
    onProgress: @escaping @Sendable (CommandProgress) -> Void = { _ in }, report: @escaping @Sendable (String) -> Void
  ) {
    self.launch = launch
    self.options = options
    self.root = root
    self.tokens = tokens
    self.environment = environment
    runner = CommandRunner(launch)
    self.clock = clock
    self.reportsProblems = reportsProblems
    self.onEvent = onEvent
    self.onProgress = onProgress
    self.report = report
    (events, continuation) = AsyncStream.makeStream()
  }

  /// Runs the command for each update until the list is closed, the task is cancelled, or the
  /// options end it. Then ends all remaining processes. Call it once.
  ///
  /// - Parameters:
  ///   - start: The list before the first update, and where the next ones come from.
  ///   - onStep: Called after the start and each step, before the run.
  package func follow(_ start: ScriptStart, onStep: () -> Void = {}) async -> ScriptEnd {
    runner.adoptOrphans()
    var loop = ScriptLoop(self, start)
    let end = await loop.run(onStep: onStep)
    await loop.cancel()
    await runner.end()
    return end
  }

  /// Tries parked changes again, which had failed too often.
  package func continueParked() {
    continuation.yield(.continued)
  }
}
