package import PlainStore
package import PlainText
package import Sinks
package import Streams

/// A sink that runs a command.
package enum CommandSink: Sendable {
  /// One run per update or change.
  case script(ScriptSink)
  /// One process that gets a line per update.
  case persistent(PersistentSink)

  /// Makes the sink that the options ask for. See `ScriptSink.init` for the parameters.
  package init(
    _ launch: CommandLaunch, _ options: ScriptOptions, root: String, tokens: TokenSource, environment: [String: String],
    reportsProblems: Bool, clock: @escaping @Sendable () -> Timestamp, onEvent: @escaping @Sendable (ResultsEvent) -> Void,
    onProgress: @escaping @Sendable (CommandProgress) -> Void = { _ in }, report: @escaping @Sendable (String) -> Void
  ) {
    if options.isPersistent {
      self = .persistent(
        PersistentSink(
          launch, options, root: root, tokens: tokens, environment: environment, reportsProblems: reportsProblems, clock: clock,
          onEvent: onEvent, onProgress: onProgress, report: report))
    } else {
      self = .script(
        ScriptSink(
          launch, options, root: root, tokens: tokens, environment: environment, reportsProblems: reportsProblems, clock: clock,
          onEvent: onEvent, onProgress: onProgress, report: report))
    }
  }

  /// Delivers updates until the sink ends or the task is cancelled.
  package func follow(_ start: ScriptStart, onStep: @escaping @Sendable () -> Void) async -> ScriptEnd {
    switch self {
    case .script(let sink): await sink.follow(start, onStep: onStep)
    case .persistent(let sink): await sink.follow(start, onStep: onStep)
    }
  }

  /// Tries parked changes again, which had failed too often.
  package func continueParked() {
    switch self {
    case .script(let sink): sink.continueParked()
    case .persistent(let sink): sink.continueParked()
    }
  }
}
