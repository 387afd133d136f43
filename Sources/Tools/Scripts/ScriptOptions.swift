/// The options of a command that runs for changes.
package struct ScriptOptions: Sendable, Hashable {
  /// The standard input of the command; nil for the default: the line of the update, or with
  /// `isEach` that of the change.
  package var input: Input?
  /// True if ids on standard input end with NUL instead of a line feed.
  package var isNullTerminated = false
  /// True to run the command once for each changed item.
  package var isEach = false
  /// True to run the command for the list as it is at the start, too.
  package var runsInitially = false
  package var onError = FailureAction.next
  /// The number of failures in a row after which a change is not tried again, with `retry` and for
  /// persistent commands. At least 1.
  package var maxFailures = 20
  /// True to halve a failing update until the changes that fail alone are known.
  package var splitsOnError = false
  /// The time after which a run is stopped and has failed; nil for no limit.
  package var timeout: Duration?
  package var onBusy = BusyAction.queue
  /// The longest time for which runs wait for the end of a rebase, merge, cherry-pick, revert or
  /// bisect; nil to run at any time.
  package var defersGit: Duration?
  /// True if the command is started once and gets one line per update.
  package var isPersistent = false
  /// True to end once the changes that exist at the start are delivered.
  package var runsOnce = false

  /// The standard input of a command.
  package enum Input: String, Sendable, CaseIterable {
    /// The line of the update.
    case update
    /// One line per change.
    case changes
    /// The id of each changed item.
    case ids
    case nothing = "none"
  }

  /// The reaction to a run that failed.
  package enum FailureAction: String, Sendable, CaseIterable {
    /// The change comes again with the next one.
    case next
    /// The change comes again after a delay.
    case retry
    /// The program ends with the status of the run.
    case stop
  }

  /// The reaction to a change that comes while the command runs.
  package enum BusyAction: String, Sendable, CaseIterable {
    /// The change waits for the end of the run.
    case queue
    /// The run is stopped, and the command runs again with everything.
    case restart
  }

  /// The names of options of earlier versions, each with a sentence that says what to do instead.
  package static let removed = [
    "ignore-own": "Let the command write only what differs: its own changes then end by themselves."
  ]

  /// Makes the options of a command that runs once for each update, with its line as input.
  package init() {}
}
