/// The options of a command that runs for changes, as they were chosen on the command line or in the
/// configuration. By default it runs once for each update, with its line as input.
package struct CommandSettings: Hashable {
  package enum Key: String, CaseIterable {
    case stdin
    case null
    case each
    case initial
    case onError = "on-error"
    case maxFailures = "max-failures"
    case splitOnError = "split-on-error"
    case timeout
    case onBusy = "on-busy"
    case prefix
    case deferGit = "defer-git"
    case persistent
  }

  /// The reason why options are refused: the wrong option, true if its value is wrong and false if it
  /// only cannot be combined with another option, and a sentence that says what to do.
  package typealias Mistake = (key: Key, isAboutValue: Bool, message: String)

  /// The standard input of the command; nil for the default: the line of the update, or with
  /// `isEach` that of the change.
  package var input: Input?
  /// True if ids on standard input end with NUL instead of a line feed.
  package var isNullTerminated = false
  /// True to run the command once for each changed item.
  package var isEach = false
  /// True to run the command for the list as it is at the start, too.
  package var runsInitially = false
  /// Nil for `next`.
  package var onError: FailureAction?
  /// The number of failures in a row after which a change is not tried again, with `retry` and for
  /// persistent commands. Nil for 20.
  package var maxFailures: Int?
  /// True to halve a failing update until the changes that fail alone are known.
  package var splitsOnError = false
  /// The time after which a run is stopped and has failed; nil for no limit.
  package var timeout: Duration?
  /// Nil for `queue`.
  package var onBusy: BusyAction?
  /// The label of output lines; `commandName` for the name of the command.
  package var label: String?
  /// The longest time for which runs wait for the end of a rebase, merge, cherry-pick, revert or
  /// bisect; nil to run at any time.
  package var defersGit: Duration?
  /// True if the command is started once and gets one line per update.
  package var isPersistent = false
  /// True to end once the changes that exist at the start are delivered.
  package var runsOnce = false

  package enum Input: String, CaseIterable {
    case update
    case changes
    case ids
    case nothing = "none"
  }

  package enum FailureAction: String, CaseIterable {
    /// The change comes again with the next one.
    case next
    /// The change comes again after a delay.
    case retry
    /// The program ends with the status of the run.
    case stop
  }

  /// The reaction to a change that comes while the command runs.
  package enum BusyAction: String, CaseIterable {
    case queue
    /// The run is stopped, and the command runs again with everything.
    case restart
  }

  /// The names of options of earlier versions, each with a sentence that says what to do instead.
  package static let removed = [
    "ignore-own": "Let the command write only what differs: its own changes then end by themselves."
  ]
  /// Stands for a label that is the name of the command. It is NUL, which no argument contains.
  package static let commandName = "\0"
  package static let defaultDeferGit = "10m"
  static let defaultMaxFailures = 20

  package init() {}

  /// Returns what is wrong with the options. `name` returns how an option is written.
  package func mistakes(name: (Key) -> String) -> [Mistake] {
    var mistakes: [Mistake] = []
    func add(_ key: Key, isAboutValue: Bool = false, _ message: String) {
      mistakes.append((key, isAboutValue, message))
    }
    if isNullTerminated, input != .ids {
      add(
        input == nil ? .null : .stdin,
        "\(name(.null)) needs \(name(.stdin)) ids, because only ids can end with NUL.")
    }
    if let maxFailures, maxFailures < 1 {
      add(.maxFailures, isAboutValue: true, "\(name(.maxFailures)) must be at least 1.")
    }
    for (key, time) in [(Key.timeout, timeout), (.deferGit, defersGit)] {
      if let time, time <= .zero {
        add(key, isAboutValue: true, "\(name(key)) must be more than 0.")
      }
    }
    if onError == .stop, maxFailures != nil {
      add(
        .onError,
        "\(name(.maxFailures)) has no effect with \(name(.onError)) stop. Leave one of them out.")
    }
    if isEach, splitsOnError {
      add(
        .each,
        "\(name(.splitOnError)) has no effect with \(name(.each)), which has one change per run. "
          + "Leave one of them out.")
    }
    if isPersistent, let other = notPersistent {
      add(
        other,
        "\(name(other)) cannot be combined with \(name(.persistent)), whose command gets each update as "
          + "one line. Leave one of them out.")
    }
    return mistakes
  }

  private var notPersistent: Key? {
    let others: [(Key, Bool)] = [
      (.each, isEach), (.splitOnError, splitsOnError), (.onBusy, onBusy != nil),
      (.stdin, (input ?? .update) != .update),
    ]
    return others.first(where: \.1)?.0
  }

  /// The mistake of a limit of failures for a command that is not run again.
  package func uselessLimit(name: (Key) -> String) -> Mistake? {
    if maxFailures == nil || onError == .retry || isPersistent { return nil }
    let message =
      "\(name(.maxFailures)) needs \(name(.onError)) retry or \(name(.persistent)). Otherwise a failed "
      + "change waits for the next one."
    return (onError == nil ? .maxFailures : .onError, false, message)
  }

  package var firstKey: Key? {
    let given: [(Key, Bool)] = [
      (.stdin, input != nil), (.null, isNullTerminated), (.each, isEach), (.initial, runsInitially),
      (.onError, onError != nil), (.maxFailures, maxFailures != nil), (.splitOnError, splitsOnError),
      (.timeout, timeout != nil), (.onBusy, onBusy != nil), (.prefix, label != nil),
      (.deferGit, defersGit != nil), (.persistent, isPersistent),
    ]
    return given.first(where: \.1)?.0
  }

  /// Returns the options of the runs: with the defaults, so that those that mean the same are equal,
  /// and without the label.
  package func options(runsOnce: Bool) -> CommandSettings {
    var options = self
    options.onError = onError ?? .next
    options.maxFailures = maxFailures ?? CommandSettings.defaultMaxFailures
    options.onBusy = onBusy ?? .queue
    options.label = nil
    options.runsOnce = runsOnce
    return options
  }

  package func label(for command: [String]) -> String? {
    guard label == CommandSettings.commandName else { return label }
    return command.first.map { String($0[($0.lastIndex(of: "/").map($0.index(after:)) ?? $0.startIndex)...]) }
  }
}

/// A time span, written `250ms`, `2s`, `1.5s`, `1m`, or as a number of seconds.
package struct TimeSpan: Hashable {
  package static let units = "TIME is 250ms, 2s, 10m, or a number of seconds."

  package let duration: Duration

  package init?(argument: String) {
    let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60)]
    let unit = units.first { argument.hasSuffix($0.suffix) }
    let digits = argument.dropLast(unit?.suffix.count ?? 0)
    guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(digits),
      number.isFinite, number < 1e6
    else {
      return nil
    }
    duration = .seconds(number * (unit?.seconds ?? 1))
  }
}
