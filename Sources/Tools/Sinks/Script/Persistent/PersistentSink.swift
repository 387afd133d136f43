import Files
package import PlainStore
package import Values

/// Runs a command that is started once and gets one JSON line per update on its standard input.
///
/// The command acknowledges a line by writing its `seq` as a line of its own. One line is
/// outstanding at a time; later changes are in the next one, as one diff. After an end the command
/// is started again, with a delay that grows, and gets everything since its last acknowledgement. No
/// content of a file is in the arguments or the environment.
package final class PersistentSink: Sendable {
  let launch: CommandLaunch
  let options: ScriptOptions
  let root: String
  let tokens: TokenSource
  let environment: [String: String]
  let runner: CommandRunner
  let backoff: Backoff
  let clock: @Sendable () -> Timestamp
  let reportsProblems: Bool
  let onEvent: @Sendable (ResultsEvent) -> Void
  let onProgress: @Sendable (CommandProgress) -> Void
  let report: @Sendable (String) -> Void
  let executor = QueueExecutor("persistent command")
  let events: AsyncStream<PersistentLoop.Event>
  let continuation: AsyncStream<PersistentLoop.Event>.Continuation

  /// Makes a sink.
  ///
  /// - Parameters:
  ///   - launch: The command, and how to run it.
  ///   - options: The options of the command.
  ///   - root: The path of the folder with the items.
  ///   - tokens: Makes the tokens of the lines.
  ///   - environment: The variables `XDG_STATE_HOME` and `HOME`, for the records of own writes.
  ///   - reportsProblems: True to pass the problems of files to `report`, too, if nothing else
  ///     prints them.
  ///   - clock: Returns the current time, for the `time` of updates.
  ///   - onEvent: Called with each update just before its line is written.
  ///   - onProgress: Called with each step, for a status.
  ///   - report: Receives a message about each end of the command.
  package convenience init(
    _ launch: CommandLaunch, _ options: ScriptOptions, root: String, tokens: TokenSource = TokenSource(),
    environment: [String: String] = [:], reportsProblems: Bool = false, clock: @escaping @Sendable () -> Timestamp,
    onEvent: @escaping @Sendable (ResultsEvent) -> Void = { _ in },
    onProgress: @escaping @Sendable (CommandProgress) -> Void = { _ in }, report: @escaping @Sendable (String) -> Void
  ) {
    self.init(
      launch, CommandRunner(launch), options, root: root, tokens: tokens, environment: environment, reportsProblems: reportsProblems,
      clock: clock, onEvent: onEvent, onProgress: onProgress, report: report)
  }

  init(
    _ launch: CommandLaunch, _ runner: CommandRunner, _ options: ScriptOptions, root: String, tokens: TokenSource = TokenSource(),
    environment: [String: String] = [:], backoff: Backoff = Backoff(), reportsProblems: Bool = false,
    clock: @escaping @Sendable () -> Timestamp,
    onEvent: @escaping @Sendable (ResultsEvent) -> Void = { _ in },
    onProgress: @escaping @Sendable (CommandProgress) -> Void = { _ in }, report: @escaping @Sendable (String) -> Void
  ) {
    self.launch = launch
    self.options = options
    self.root = root
    self.tokens = tokens
    self.environment = environment
    self.runner = runner
    self.backoff = backoff
    self.clock = clock
    self.reportsProblems = reportsProblems
    self.onEvent = onEvent
    self.onProgress = onProgress
    self.report = report
    (events, continuation) = AsyncStream.makeStream()
  }

  /// Starts the command again if it ended too often.
  package func continueParked() { continuation.yield(.continued) }

  /// Delivers each update until the list is closed, the task is cancelled, or the options end it.
  /// Then ends all remaining processes. Call it once.
  ///
  /// - Parameters:
  ///   - start: The list before the first update, and where the next ones come from.
  ///   - onStep: Called after the start and each step, before its line is written.
  package func follow(_ start: ScriptStart, onStep: @escaping @Sendable () -> Void = {}) async -> ScriptEnd {
    runner.adoptOrphans()
    return await deliver(start, onStep: onStep)
  }

  /// Does what `follow` does, without becoming the parent of orphans.
  func deliver(_ start: ScriptStart, onStep: @escaping @Sendable () -> Void = {}) async -> ScriptEnd {
    // A task that is never cancelled: the last acknowledgement of a command that is stopped counts.
    let delivery = Task(executorPreference: executor) {
      var loop = PersistentLoop(self, start)
      let end = await loop.run(onStep: onStep)
      await loop.cancel()
      await self.runner.end()
      return end
    }
    return await withTaskCancellationHandler {
      await delivery.value
    } onCancel: {
      continuation.yield(.cancelled)
    }
  }
}
