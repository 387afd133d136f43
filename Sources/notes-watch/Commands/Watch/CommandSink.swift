import PlainStore
import Sinks

/// The sink that runs the command after `--`.
enum CommandSink: Sendable {
  /// One run per update or change.
  case script(ScriptSink)
  /// One process that gets a line per update.
  case persistent(PersistentSink)

  /// Delivers updates until the sink ends or the task is cancelled.
  func follow(_ start: ScriptStart, onStep: @escaping @Sendable () -> Void) async -> ScriptEnd {
    switch self {
    case .script(let sink): await sink.follow(start, onStep: onStep)
    case .persistent(let sink): await sink.follow(start, onStep: onStep)
    }
  }

  /// Tries parked changes again, which had failed too often.
  func continueParked() {
    switch self {
    case .script(let sink): sink.continueParked()
    case .persistent(let sink): sink.continueParked()
    }
  }
}

extension WatchCommand {
  /// The command and how to run it; nil if none was given.
  var launch: CommandLaunch? {
    if command.isEmpty { return nil }
    return CommandLaunch(command, output: output == nil ? .standardOutput : .standardError, label: script.label(for: command))
  }

  /// Returns the sink of the command.
  func sink(_ launch: CommandLaunch, _ session: Session, _ tokens: TokenSource) -> CommandSink {
    let isAlone = output == nil
    let options = script.options(runsOnce: resume.once)
    let report: @Sendable (String) -> Void = { StandardError.writeLine("notes-watch: \($0)") }
    let environment = Environment.values(of: "XDG_STATE_HOME", "HOME")
    if options.isPersistent {
      return .persistent(
        PersistentSink(
          launch, options, root: folder.folder, tokens: tokens, environment: environment, reportsProblems: isAlone, clock: WallClock.now,
          onEvent: { if isAlone { session.meter.record($0) } }, report: report))
    }
    return .script(
      ScriptSink(
        launch, options, root: folder.folder, tokens: tokens, environment: environment, reportsProblems: isAlone, clock: WallClock.now,
        onEvent: { if isAlone { session.meter.record($0) } }, report: report))
  }

  /// Returns the list that the command has, with every change from there on.
  func start(_ session: Session, at point: ResumePoint) -> ScriptStart {
    switch point.start {
    case .resumed(let list, let position):
      let steps = session.results.subscribe(resumingAfter: list)
      return ScriptStart(list: list, position: position, subscription: steps, log: point.log)
    case .new where !script.runsInitially:
      let (list, steps) = session.results.snapshotAndSteps()
      return ScriptStart(list: list, subscription: steps, log: point.log)
    case .new, .gone:
      let nothing = session.results.snapshot.emptied
      let steps = session.results.subscribe(resumingAfter: nothing)
      return ScriptStart(list: nothing, isFromNothing: true, subscription: steps, log: point.log)
    }
  }
}
