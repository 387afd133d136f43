import ArgumentParser
import Scripts

extension CommandSettings.Input: ExpressibleByArgument {}
extension CommandSettings.FailureAction: ExpressibleByArgument {}
extension CommandSettings.BusyAction: ExpressibleByArgument {}

struct ScriptSettings: ParsableArguments {
  @Option(
    name: .customLong("stdin"),
    help: ArgumentHelp(
      "The input of each run: the update's JSON line, one line per change, the ids of the changed items, or none. The default is update; "
        + "with --each it is the line of the change.",
      valueName: "KIND"))
  var input: CommandSettings.Input?

  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: "End each id with NUL instead of a line feed. Needs --stdin ids.")
  var isNullTerminated = false

  @Flag(
    name: .customLong("each"),
    help:
      "Run once for each changed item. The variables NOTES_WATCH_OP and NOTES_WATCH_PATH name the operation and the file."
  )
  var isEach = false

  @Flag(name: .customLong("initial"), help: "Also run for the first list: an update from the empty list.")
  var runsInitially = false

  @Option(
    help: ArgumentHelp(
      "After a failed run: add its change to the next run (next, the default), run again after a delay of 1 s to 5 min (retry), or end "
        + "the program with the status of the run (stop).",
      valueName: "ACTION"))
  var onError: CommandSettings.FailureAction?

  @Option(
    help: ArgumentHelp(
      """
      Stop trying after N failures in a row. SIGHUP continues. The default is 20. Needs --on-error \
      retry or --persistent.
      """,
      valueName: "N"))
  var maxFailures: Int?

  @Flag(
    name: .customLong("split-on-error"),
    help:
      "After a failure, run for halves of the changes, until each item that fails on its own is found. The others are delivered."
  )
  var splitsOnError = false

  @Option(
    help: ArgumentHelp(
      "Stop a run after this long: SIGTERM to its process group, then SIGKILL. \(TimeSpan.units)",
      valueName: "TIME"))
  var timeout: TimeSpan?

  @Option(
    help: ArgumentHelp(
      "If a change comes during a run: wait for the end of the run (queue, the default), or stop it and run again with everything "
        + "(restart).",
      valueName: "ACTION"))
  var onBusy: CommandSettings.BusyAction?

  @Option(
    name: .customLong("prefix"),
    help: ArgumentHelp(
      """
      Begin each line that the command prints with a label. The default is the command's name; write \
      another label after `=`.
      """,
      valueName: "LABEL"))
  var label: String?

  @Option(
    help: ArgumentHelp(
      "Do not run during a rebase, merge, cherry-pick, revert or bisect, but wait at most this long. The default is 10m; write another "
        + "time after `=`. \(TimeSpan.units)",
      valueName: "TIME"))
  var deferGit: TimeSpan?

  @Flag(
    name: .customLong("persistent"),
    help:
      "Start the command once. It reads one line per update, and prints the seq of each line it has handled.")
  var isPersistent = false

  func validate() throws {
    if let mistake = settings.mistakes(name: ScriptSettings.name).first {
      throw ValidationError(mistake.message)
    }
  }

  /// Checks that no option is given without what it needs: a command to run, or another option.
  func check(_ command: [String]) throws {
    if !command.isEmpty {
      if let mistake = settings.uselessLimit(name: ScriptSettings.name) {
        throw ValidationError(mistake.message)
      }
    } else if let option = settings.firstKey.map(ScriptSettings.name) {
      throw ValidationError(
        "\(option) needs a COMMAND to run. Write it after `--`: notes-watch DIR \(option) -- COMMAND")
    }
  }

  var settings: CommandSettings {
    var settings = CommandSettings()
    settings.input = input
    settings.isNullTerminated = isNullTerminated
    settings.isEach = isEach
    settings.runsInitially = runsInitially
    settings.onError = onError
    settings.maxFailures = maxFailures
    settings.splitsOnError = splitsOnError
    settings.timeout = timeout?.duration
    settings.onBusy = onBusy
    settings.label = label
    settings.defersGit = deferGit?.duration
    settings.isPersistent = isPersistent
    return settings
  }

  private static func name(_ key: CommandSettings.Key) -> String {
    key == .null ? "-0" : "--\(key.rawValue)"
  }
}
