package import PlainStore
package import PlainText

/// Runs a command for each update, one at a time, with the update's JSON line on its standard
/// input.
///
/// Changes during a run are in the next run, as one diff. A failed run is reported, and its change
/// is included in the next run. No shell is involved, and no content of a file is in the arguments
/// or the environment.
package struct ScriptSink: Sendable {
  private let launch: CommandLaunch
  private let runner: CommandRunner
  private let clock: @Sendable () -> Timestamp
  private let reportsProblems: Bool
  private let onEvent: @Sendable (ResultsEvent) -> Void
  private let report: @Sendable (String) -> Void

  /// The stream of this program that the command writes to.
  package enum Stream: Sendable {
    case standardOutput
    case standardError
  }

  /// Makes a sink.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments. Not empty.
  ///   - output: The stream that the command's standard output goes to.
  ///   - reportsProblems: True to pass the problems of files to `report`, too, if nothing else
  ///     prints them.
  ///   - clock: Returns the current time, for the `time` of updates.
  ///   - onEvent: Called with each update just before a command runs for it.
  ///   - report: Receives a message about each failed run.
  package init(
    _ command: [String], output: Stream, reportsProblems: Bool = false, clock: @escaping @Sendable () -> Timestamp,
    onEvent: @escaping @Sendable (ResultsEvent) -> Void = { _ in },
    report: @escaping @Sendable (String) -> Void
  ) {
    launch = CommandLaunch(command, output: output)
    runner = CommandRunner(launch)
    self.clock = clock
    self.reportsProblems = reportsProblems
    self.onEvent = onEvent
    self.report = report
  }

  /// Returns an error message if the program does not exist or is not executable, otherwise nil.
  package func missingProgram() async -> String? { await launch.missingProgram() }

  /// Runs the command for each update until the list is closed or the task is cancelled. Then ends
  /// all remaining processes.
  ///
  /// - Parameters:
  ///   - start: The list before the first update.
  ///   - subscription: A subscription that has already received `start`.
  ///   - onStep: Called after the start and each step, before the run.
  package func follow(from start: ResultsSnapshot, _ subscription: ResultsSubscription, onStep: () -> Void = {}) async {
    runner.adoptOrphans()
    var encoder = StreamEncoder()
    encoder.snapshot(start) { _ in }
    onStep()
    reportRaised(start.problems.map(ProblemChange.raised))
    while let event = await subscription.next() {
      onStep()
      switch event {
      case .snapshot: break
      case .step(let update?, let problems):
        reportRaised(problems)
        var attempt = encoder
        let line = attempt.update(update, time: clock())
        onEvent(event)
        let end = await runner.run(input: line)
        if end.isSuccess {
          encoder = attempt
        } else {
          if Task.isCancelled { break }
          report("\(end.sentence(about: launch.program)) Its change will be included in the next run.")
          subscription.returnLastStep()
        }
      case .step(update: nil, let problems): reportRaised(problems)
      }
    }
    await runner.end()
  }

  /// The command receives updates. Problems of files are for the person who started the program.
  private func reportRaised(_ problems: [ProblemChange]) {
    guard reportsProblems else { return }
    for case .raised(let problem) in problems { report(problem.description) }
  }
}
