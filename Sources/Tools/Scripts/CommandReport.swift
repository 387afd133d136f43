import Store

/// A message about a command, for the person who started the program.
enum CommandReport: Equatable {
  enum Reaction: Equatable {
    case nextChange
    case retry(after: Duration)
    case stop
    /// The change is not tried again before the command is continued.
    case parked(failures: Int)
  }

  /// A run failed, for all pending changes or for one item, whose id and path are given.
  case failed(RunEnd, item: String?, Reaction)
  /// A run for several changes failed, which are now tried in halves.
  case splitting(RunEnd, changes: Int)
  /// Every change that was tried alone failed, so no further one is tried alone.
  case broken(RunEnd, tries: Int, Reaction)
  /// The command is slowed down because its runs are caused by its own changes.
  case looping(runs: Int, [RelativePath])
  case ended(RunEnd, Reaction)
  /// A line of digits that is not the number of the outstanding line.
  case invalid(String, expected: Int?)
  /// The command closed its input and still ran.
  case inputClosed
  case continued
  case gitTooLong(GitOperation, Duration)

  func message(
    about command: String, isPersistent: Bool = false, seq: Int,
    _ advice: CommandLaunch.Advice = CommandLaunch.programAdvice
  ) -> String {
    switch self {
    case .failed(let end, let item, let reaction):
      let place = item.map { " It failed for the item \($0)." } ?? ""
      return "\(end.sentence(about: command))\(place) \(reaction.sentence(seq: seq, advice))"
    case .splitting(let end, let changes):
      return "\(end.sentence(about: command)) Its \(changes) changes are now tried in halves."
    case .broken(let end, let tries, let reaction):
      return
        "\(end.sentence(about: command)) It failed for each of \(tries) single changes, so the command itself seems to be broken."
        + " \(reaction.sentence(seq: seq, advice))"
    case .looping(let runs, let paths):
      let list = paths.isEmpty ? "" : " (\(paths.map(\.description).joined(separator: ", ")))"
      return
        "`\(command)` seems to run because of its own changes: \(runs) runs in a row were caused by changes\(list) made during the"
        + " run before. It is slowed down. Let the command write outside of the folder, or only what differs."
    case .ended(let end, let reaction):
      let isLate = end == .timedOut
      let fact =
        isLate
        ? "`\(command)` did not acknowledge step \(seq + 1) in time and was stopped."
        : end.sentence(about: command)
      return "\(fact) \(reaction.sentenceAboutProcess(seq: seq, advice))"
    case .invalid(let acknowledgement, let expected):
      let expectation =
        expected.map { "only step \($0) can be acknowledged now" } ?? "no step waits for an acknowledgement"
      return
        "`\(command)` wrote the line `\(acknowledgement)`, which is not a valid acknowledgement: \(expectation)."
    case .inputClosed:
      return "`\(command)` closed its standard input, so no change can be delivered to it. It is stopped."
    case .continued: return "`\(command)` continues after step \(seq)."
    case .gitTooLong(let operation, let limit):
      let consequence = isPersistent ? "gets the changes now" : "runs now"
      return
        "A \(operation) has been in progress for \(CommandReport.text(limit)). `\(command)` \(consequence)."
    }
  }

  fileprivate static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times in a row" }

  static func text(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    if seconds < 0.95 { return "\(Int((seconds * 1000).rounded())) ms" }
    return seconds < 120 ? "\(Int(seconds.rounded())) s" : "\(Int((seconds / 60).rounded())) min"
  }
}

extension CommandReport.Reaction {
  fileprivate func sentence(seq: Int, _ advice: CommandLaunch.Advice) -> String {
    switch self {
    case .nextChange: "Its change will be included in the next run."
    case .retry(let delay): "Its change will be tried again in \(CommandReport.text(delay))."
    case .stop: advice.stop
    case .parked(let failures):
      "It failed \(CommandReport.times(failures)), so its change is kept after step \(seq) and not tried again. \(advice.parked)"
    }
  }

  fileprivate func sentenceAboutProcess(seq: Int, _ advice: CommandLaunch.Advice) -> String {
    switch self {
    case .retry(let delay):
      "It is started again in \(CommandReport.text(delay)), with everything after step \(seq)."
    case .stop, .nextChange: advice.stop
    case .parked(let ends):
      "It ended \(CommandReport.times(ends)) without an acknowledgement, so the changes after step \(seq) are kept and it is not"
        + " started again. \(advice.parked)"
    }
  }
}
