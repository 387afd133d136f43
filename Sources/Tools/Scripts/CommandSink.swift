package import Store
package import Streams

/// Delivers updates to a command, one at a time: by a run for each, or with `--persistent` as lines
/// to a process that acknowledges them.
///
/// Changes during a delivery are in the next one, as one diff. The position of the command only
/// moves when a run ended with the exit code 0 or a line was acknowledged; `CommandSchedule` decides
/// when the changes of a failed delivery come again. No shell is involved, and no content of a file
/// is in the arguments or the environment.
package struct CommandSink {
  let launch: CommandLaunch
  let options: CommandSettings
  let root: String
  let tokens: TokenSource
  var runner: CommandRunner
  var backoff = Backoff()
  let clock: @Sendable () -> Timestamp
  let reportsProblems: Bool
  let onEvent: @Sendable (ListEvent) -> Void
  let onProgress: @Sendable (CommandProgress) -> Void
  let report: @Sendable (String) -> Void
  /// Queue: waits for steps of the list and for ends of runs, and decides what the command gets.
  let executor = QueueExecutor("command events")
  let signals: AsyncStream<CommandLoop.Signal>
  let continuation: AsyncStream<CommandLoop.Signal>.Continuation

  /// - Parameters:
  ///   - reportsProblems: True to pass the problems of files to `report`, if nothing else prints them.
  ///   - onEvent: Called with each update just before it is delivered.
  ///   - report: Receives the messages for the person who started the program.
  package init(
    _ launch: CommandLaunch, _ options: CommandSettings = CommandSettings(), root: String,
    tokens: TokenSource = TokenSource(),
    reportsProblems: Bool = false, clock: @escaping @Sendable () -> Timestamp,
    onEvent: @escaping @Sendable (ListEvent) -> Void = { _ in },
    onProgress: @escaping @Sendable (CommandProgress) -> Void = { _ in },
    report: @escaping @Sendable (String) -> Void
  ) {
    self.launch = launch
    self.options = options
    self.root = root
    self.tokens = tokens
    runner = CommandRunner(launch)
    self.clock = clock
    self.reportsProblems = reportsProblems
    self.onEvent = onEvent
    self.onProgress = onProgress
    self.report = report
    (signals, continuation) = AsyncStream.makeStream()
  }

  /// Delivers each update until the list is closed, the task is cancelled, or the options end it. Then
  /// ends all remaining processes. Call it once. `onStep` is called after the start and each step,
  /// before the delivery.
  package func follow(_ start: ScriptStart, onStep: @escaping @Sendable () -> Void = {}) async
    -> CommandSink.End
  {
    runner.adoptOrphans()
    // A task that is never cancelled: the last acknowledgement of a process that is stopped counts.
    let delivery = Task(executorPreference: executor) {
      var loop = CommandLoop(self, start)
      let end = await loop.run(onStep: onStep)
      await loop.cancel()
      await runner.end()
      return end
    }
    return await withTaskCancellationHandler {
      await delivery.value
    } onCancel: {
      continuation.yield(.event(.cancelled))
    }
  }

  /// Tries parked changes again, which had failed too often.
  package func continueParked() { continuation.yield(.event(.continued)) }

  /// The reason why a sink stopped running its command.
  package enum End: Equatable {
    /// The list was closed, or the task was cancelled.
    case closed
    /// The program is to end with this status: that of a failed run, or 0 after everything was
    /// delivered once.
    case status(CInt)
    /// With `runsOnce`, the offer of a run could not be recorded, so nothing was run for it.
    case notRecorded
  }
}

/// A step in the life of a sink that runs a command, for a status.
package enum CommandProgress {
  case changed
  case runBegan
  case runEnded(RunEnd)
  case advanced(StreamPosition, ListSnapshot<Item>)
  /// The state after an event. It may be the same as before.
  case state(State)

  package enum State: String, Hashable {
    case idle
    case running
    /// Changes wait for something: a delay, a later change or the end of a git operation.
    case waiting
    case parked
    /// It cannot run, for example because its view does not exist or its state is in use.
    case failed
    /// Its command failed and `on-error` is `stop`.
    case stopped
  }
}
