import Watch

/// A message about a persistent command, for the person who started the program.
enum PersistentReport: Equatable {
  /// The reaction to the end of a process.
  enum Reaction: Equatable {
    case restart(after: Duration)
    case stop
    /// The command is not started again before it is continued.
    case parked(ends: Int)
  }

  /// A process ended.
  case ended(RunEnd, Reaction)
  /// A line of digits that is not the number of the outstanding line.
  case invalid(Acknowledgement, expected: Int?)
  /// The command closed its input and still ran.
  case inputClosed
  /// A parked command is continued.
  case continued
  /// A git operation took too long for waiting.
  case gitTooLong(GitOperation, Duration)

  /// Returns the message.
  ///
  /// - Parameters:
  ///   - command: The name of the program.
  ///   - seq: The number of the last step that was acknowledged.
  ///   - advice: What the end of the command means for the program.
  func message(about command: String, seq: Int, _ advice: CommandAdvice = .program) -> String {
    switch self {
    case .ended(let end, let reaction):
      let isLate = end == .timedOut
      let fact = isLate ? "`\(command)` did not acknowledge step \(seq + 1) in time and was stopped." : end.sentence(about: command)
      return "\(fact) \(reaction.sentence(seq: seq, advice))"
    case .invalid(let acknowledgement, let expected):
      let expectation = expected.map { "only step \($0) can be acknowledged now" } ?? "no step waits for an acknowledgement"
      return "`\(command)` wrote the line `\(acknowledgement.text)`, which is not a valid acknowledgement: \(expectation)."
    case .inputClosed: return "`\(command)` closed its standard input, so no change can be delivered to it. It is stopped."
    case .continued: return "`\(command)` is continued after step \(seq)."
    case .gitTooLong(let operation, let limit):
      return "A \(operation) has been in progress for \(ScriptReport.text(limit)). `\(command)` gets the changes now."
    }
  }
}

extension PersistentReport.Reaction {
  fileprivate func sentence(seq: Int, _ advice: CommandAdvice) -> String {
    switch self {
    case .restart(let delay): "It is started again in \(ScriptReport.text(delay)), with everything after step \(seq)."
    case .stop: advice.stop
    case .parked(let ends):
      "It ended \(ScriptReport.times(ends)) without an acknowledgement, so the changes after step \(seq) are kept and it is not"
        + " started again. \(advice.parked)"
    }
  }
}
