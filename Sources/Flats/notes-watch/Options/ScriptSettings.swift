import ArgumentParser
import Sinks

extension ScriptOptions.Input: ExpressibleByArgument {}
extension ScriptOptions.FailureAction: ExpressibleByArgument {}
extension ScriptOptions.BusyAction: ExpressibleByArgument {}

/// The options for the command after `--`.
struct ScriptSettings: ParsableArguments {
  @Option(
    name: .customLong("stdin"),
    help: ArgumentHelp(
      "The input of each run: the update's JSON line, one line per change, the ids of the changed items, or none. The default is update; "
        + "with --each it is the line of the change.",
      valueName: "KIND"))
  var input: ScriptOptions.Input?

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
  var onError: ScriptOptions.FailureAction?

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
  var onBusy: ScriptOptions.BusyAction?

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
    if isNullTerminated, input != .ids {
      throw ValidationError("-0 needs --stdin ids, because only ids can end with NUL.")
    }
    if let maxFailures, maxFailures < 1 { throw ValidationError("--max-failures must be at least 1.") }
    for (name, time) in [("--timeout", timeout), ("--defer-git", deferGit)] {
      if let time, time.duration <= .zero { throw ValidationError("\(name) must be more than 0.") }
    }
    if onError == .stop, maxFailures != nil {
      throw ValidationError("--max-failures has no effect with --on-error stop. Leave one of them out.")
    }
    if isEach, splitsOnError {
      throw ValidationError(
        "--split-on-error has no effect with --each, which has one change per run. Leave one of them out.")
    }
    if isPersistent { try checkPersistent() }
  }

  private func checkPersistent() throws {
    let others = [
      ("--each", isEach), ("--split-on-error", splitsOnError), ("--on-busy", onBusy != nil),
      ("--stdin", (input ?? .update) != .update),
    ]
    if let other = others.first(where: \.1) {
      throw ValidationError(
        "\(other.0) cannot be combined with --persistent, whose command gets each update as one line. Leave one of them out."
      )
    }
  }

  /// Checks that no option is given without what it needs: a command to run, or another option.
  ///
  /// - Throws: `ValidationError`.
  func check(_ command: [String]) throws {
    guard command.isEmpty else {
      if maxFailures == nil || onError == .retry || isPersistent { return }
      throw ValidationError(
        "--max-failures needs --on-error retry or --persistent. Otherwise a failed change waits for the next one."
      )
    }
    let given: [(String, Bool)] = [
      ("--stdin", input != nil), ("-0", isNullTerminated), ("--each", isEach), ("--initial", runsInitially),
      ("--on-error", onError != nil), ("--max-failures", maxFailures != nil),
      ("--split-on-error", splitsOnError),
      ("--timeout", timeout != nil), ("--on-busy", onBusy != nil), ("--prefix", label != nil),
      ("--defer-git", deferGit != nil),
      ("--persistent", isPersistent),
    ]
    guard let option = given.first(where: \.1) else { return }
    throw ValidationError(
      "\(option.0) needs a COMMAND to run. Write it after `--`: notes-watch DIR \(option.0) -- COMMAND")
  }

  /// Returns the options of the sink.
  ///
  /// - Parameter runsOnce: True to end once everything is delivered.
  func options(runsOnce: Bool) -> ScriptOptions {
    var options = ScriptOptions()
    options.input = input
    options.isNullTerminated = isNullTerminated
    options.isEach = isEach
    options.runsInitially = runsInitially
    if let onError { options.onError = onError }
    if let maxFailures { options.maxFailures = maxFailures }
    options.splitsOnError = splitsOnError
    options.timeout = timeout?.duration
    if let onBusy { options.onBusy = onBusy }
    options.defersGit = deferGit?.duration
    options.isPersistent = isPersistent
    options.runsOnce = runsOnce
    return options
  }

  /// Returns the label of output lines; nil for none.
  ///
  /// - Parameter command: The program and its arguments. Its name is the default.
  func label(for command: [String]) -> String? {
    guard label == BareOptions.commandName else { return label }
    return command.first.map { String($0[($0.lastIndex(of: "/").map($0.index(after:)) ?? $0.startIndex)...]) }
  }
}
