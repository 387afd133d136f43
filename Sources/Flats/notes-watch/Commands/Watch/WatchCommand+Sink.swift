import Daemon
import Printing
import Scripts
import Store
import Streams

/// The command after `--`.
extension WatchCommand {
  /// The command and how to run it; nil if none was given.
  var launch: CommandLaunch? {
    if command.isEmpty { return nil }
    return CommandLaunch(
      command, output: output == nil ? .standardOutput : .standardError,
      label: script.settings.label(for: command))
  }

  /// Returns the sink of the command.
  func sink(_ launch: CommandLaunch, _ session: Session, _ tokens: TokenSource) -> CommandSink {
    let isAlone = output == nil
    return CommandSink(
      launch, script.settings.options(runsOnce: resume.once), root: folder.folder, tokens: tokens,
      reportsProblems: isAlone, clock: WallClock.now,
      onEvent: { if isAlone { session.meter.record($0) } }, report: { StandardError.reportLine("\($0)") })
  }
}
