import Files
import PlainStore
import Watch

/// A message about runs of a command, for the person who started the program.
enum ScriptReport: Equatable {
  /// The reaction to a failure.
  enum Reaction: Equatable {
    case nextChange
    case retry(after: Duration)
    case stop
    /// The change is not tried again before the command is continued.
    case parked(failures: Int)
  }

  /// A failed change that has been found to fail alone.
  struct FailedItem: Equatable {
    let id: Item.ID
    let path: RelativePath?
  }

  /// A run failed, for all pending changes or for one item.
  case failed(RunEnd, FailedItem?, Reaction)
  /// A run for several changes failed, which are now tried in halves.
  case splitting(RunEnd, changes: Int)
  /// Every change that was tried alone failed, so no further one is tried alone.
  case broken(RunEnd, tries: Int, Reaction)
  /// A parked command is continued.
  case continued
  /// The command is slowed down because its runs are caused by its own changes.
  case looping(runs: Int, [RelativePath])
  /// A git operation took too long for waiting.
  case gitTooLong(GitOperation, Duration)

  /// Returns the message.
  ///
  /// - Parameters:
  ///   - command: The name of the program.
  ///   - seq: The number of the last step that succeeded.
  ///   - advice: What the end of the command means for the program.
  func message(about command: String, seq: Int, _ advice: CommandAdvice = .program) -> String {
    switch self {
    case .failed(let end, let item, let reaction):
      let place = item.map { " It failed for the item \($0.text)." } ?? ""
      return "\(end.sentence(about: command))\(place) \(reaction.sentence(seq: seq, advice))"
    case .splitting(let end, let changes):
      return "\(end.sentence(about: command)) Its \(changes) changes are now tried in halves."
    case .broken(let end, let tries, let reaction):
      return "\(end.sentence(about: command)) It failed for each of \(tries) single changes, so the command itself seems to be broken."
        + " \(reaction.sentence(seq: seq, advice))"
    case .continued: return "`\(command)` is continued after step \(seq)."
    case .looping(let runs, let paths):
      let list = paths.isEmpty ? "" : " (\(paths.map(\.description).joined(separator: ", ")))"
      return "`\(command)` seems to run because of its own changes: \(runs) runs in a row were caused by changes\(list) made during the"
        + " run before. It is slowed down. Let the command write outside of the folder, or only what differs."
    case .gitTooLong(let operation, let limit):
      return "A \(operation) has been in progress for \(ScriptReport.text(limit)). `\(command)` runs now."
    }
  }

  /// Returns a number of failures for people: `once` or `20 times in a row`.
  static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times in a row" }

  /// Returns a duration for people, such as `4 s` or `10 min`.
  static func text(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    if seconds < 0.95 { return "\(Int((seconds * 1000).rounded())) ms" }
    return seconds < 120 ? "\(Int(seconds.rounded())) s" : "\(Int((seconds / 60).rounded())) min"
  }
}

extension ScriptReport.FailedItem {
  fileprivate var text: String {
    let id = id.description
    return path.map { "`\(id)` (\($0))" } ?? "`\(id)`"
  }
}

extension ScriptReport.Reaction {
  fileprivate func sentence(seq: Int, _ advice: CommandAdvice) -> String {
    switch self {
    case .nextChange: "Its change will be included in the next run."
    case .retry(let delay): "Its change will be tried again in \(ScriptReport.text(delay))."
    case .stop: advice.stop
    case .parked(let failures):
      "It failed \(ScriptReport.times(failures)), so its change is kept after step \(seq) and not tried again. \(advice.parked)"
    }
  }
}
