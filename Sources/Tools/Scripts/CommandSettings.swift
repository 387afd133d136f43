/// The options of a command, as they were chosen on the command line or in the configuration.
package struct CommandSettings: Sendable, Hashable {
  /// The names of the options.
  package enum Key: String, Sendable, CaseIterable {
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

  /// The reason why options are refused.
  package struct Mistake: Sendable, Hashable {
    /// The option that is wrong.
    package let key: Key
    /// True if its value is wrong; false if it only cannot be combined with another option.
    package let isAboutValue: Bool
    /// A sentence that says what to do.
    package let message: String
  }

  package var input: ScriptOptions.Input?
  package var isNullTerminated = false
  package var isEach = false
  package var runsInitially = false
  package var onError: ScriptOptions.FailureAction?
  package var maxFailures: Int?
  package var splitsOnError = false
  package var timeout: TimeSpan?
  package var onBusy: ScriptOptions.BusyAction?
  /// The label of output lines; `commandName` for the name of the command.
  package var label: String?
  package var deferGit: TimeSpan?
  package var isPersistent = false

  /// Stands for a label that is the name of the command. It is NUL, which no argument contains.
  package static let commandName = "\0"
  /// The longest time to wait for git, if none is given.
  package static let defaultDeferGit = "10m"

  package init() {}

  /// Returns what is wrong with the options.
  ///
  /// - Parameter name: Returns the name of an option as it is written.
  package func mistakes(name: (Key) -> String) -> [Mistake] {
    var mistakes: [Mistake] = []
    func add(_ key: Key, isAboutValue: Bool = false, _ message: String) {
      mistakes.append(Mistake(key: key, isAboutValue: isAboutValue, message: message))
    }
    if isNullTerminated, input != .ids {
      add(
        input == nil ? .null : .stdin,
        "\(name(.null)) needs \(name(.stdin)) ids, because only ids can end with NUL.")
    }
    if let maxFailures, maxFailures < 1 {
      add(.maxFailures, isAboutValue: true, "\(name(.maxFailures)) must be at least 1.")
    }
    for (key, time) in [(Key.timeout, timeout), (.deferGit, deferGit)] {
      if let time, time.duration <= .zero {
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

  /// The first option that a persistent command cannot have.
  private var notPersistent: Key? {
    let others: [(Key, Bool)] = [
      (.each, isEach), (.splitOnError, splitsOnError), (.onBusy, onBusy != nil),
      (.stdin, (input ?? .update) != .update),
    ]
    return others.first(where: \.1)?.0
  }

  /// Returns the mistake of a limit of failures for a command that is not run again; nil if there
  /// is none.
  package func uselessLimit(name: (Key) -> String) -> Mistake? {
    if maxFailures == nil || onError == .retry || isPersistent { return nil }
    let message =
      "\(name(.maxFailures)) needs \(name(.onError)) retry or \(name(.persistent)). Otherwise a failed "
      + "change waits for the next one."
    return Mistake(key: onError == nil ? .maxFailures : .onError, isAboutValue: false, message: message)
  }

  /// The first option that is given.
  package var firstKey: Key? {
    let given: [(Key, Bool)] = [
      (.stdin, input != nil), (.null, isNullTerminated), (.each, isEach), (.initial, runsInitially),
      (.onError, onError != nil), (.maxFailures, maxFailures != nil), (.splitOnError, splitsOnError),
      (.timeout, timeout != nil), (.onBusy, onBusy != nil), (.prefix, label != nil),
      (.deferGit, deferGit != nil), (.persistent, isPersistent),
    ]
    return given.first(where: \.1)?.0
  }

  /// Returns the options of the runs.
  ///
  /// - Parameter runsOnce: True to end once everything is delivered.
  package func options(runsOnce: Bool) -> ScriptOptions {
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
  package func label(for command: [String]) -> String? {
    guard label == CommandSettings.commandName else { return label }
    return command.first.map { String($0[($0.lastIndex(of: "/").map($0.index(after:)) ?? $0.startIndex)...]) }
  }
}
