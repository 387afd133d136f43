import CLinux
import Dispatch
import Glibc
import LinuxFiles
package import PlainStore
package import PlainText
import Subprocess
import Synchronization
import SystemPackage

/// Runs a command for each update, one at a time, with the update's JSON line on its standard
/// input.
///
/// Changes during a run are in the next run, as one diff. A failed run is reported, and its change
/// is included in the next run. No shell is involved, and no content of a file is in the arguments
/// or the environment.
package struct ScriptSink: Sendable {
  private let command: [String]
  private let output: Stream
  private let clock: @Sendable () -> Timestamp
  private let reportsProblems: Bool
  private let onEvent: @Sendable (ResultsEvent) -> Void
  private let report: @Sendable (String) -> Void
  private let groups = ProcessGroups()
  private let executor = QueueExecutor("run")

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
    precondition(!command.isEmpty, "The command is empty.")
    // A command may end without reading. Writing to it must then fail instead of ending this
    // program.
    signal(SIGPIPE, SIG_IGN)
    self.command = command
    self.output = output
    self.clock = clock
    self.reportsProblems = reportsProblems
    self.onEvent = onEvent
    self.report = report
  }

  /// Returns an error message if the program does not exist or is not executable, otherwise nil.
  package func missingProgram() async -> String? {
    if isPath { return missingPath() }
    do {
      _ = try await executable.resolveExecutablePath(in: .inherit)
      return nil
    } catch {
      return "The command `\(command[0])` is not on $PATH. Give its path, or install it."
    }
  }

  private func missingPath() -> String? {
    var status = stat()
    if stat(command[0], &status) != 0 { return "The command `\(command[0])` cannot be run: \(Errno.current.reason)." }
    if status.st_mode & S_IFMT != S_IFREG { return "The command `\(command[0])` cannot be run: it is not a regular file." }
    return access(command[0], X_OK) == 0
      ? nil : "The command `\(command[0])` cannot be run: it is not executable. Run `chmod +x` on it."
  }

  /// Runs the command for each update until the list is closed or the task is cancelled. Then ends
  /// all remaining processes.
  ///
  /// - Parameters:
  ///   - start: The list before the first update.
  ///   - subscription: A subscription that has already received `start`.
  ///   - onStep: Called after the start and each step, before the run.
  package func follow(from start: ResultsSnapshot, _ subscription: ResultsSubscription, onStep: () -> Void = {}) async {
    groups.adoptOrphans()
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
        if let failure = await run(line) {
          if Task.isCancelled { break }
          report(failure)
          subscription.returnLastStep()
        } else {
          encoder = attempt
        }
      case .step(update: nil, let problems): reportRaised(problems)
      }
    }
    await groups.end()
  }

  /// The command receives updates. Problems of files are for the person who started the program.
  private func reportRaised(_ problems: [ProblemChange]) {
    guard reportsProblems else { return }
    for case .raised(let problem) in problems { report(problem.description) }
  }

  private var isPath: Bool { command[0].utf8.contains(UInt8(ascii: "/")) }

  private var executable: Executable { isPath ? .path(.init(command[0])) : .name(command[0]) }

  /// Runs the command with a line as its input. Returns an error message if it failed. If the task
  /// is cancelled, the command's process group receives SIGTERM, and SIGKILL after two seconds.
  private func run(_ line: [UInt8]) async -> String? {
    let (ends, continuation) = AsyncStream<RunEnd>.makeStream()
    // A separate task that is never cancelled: on cancellation, Subprocess would signal the group
    // even after it has reaped the command.
    let run = Task(executorPreference: executor) { await self.run(line, ends, continuation) }
    return await withTaskCancellationHandler {
      await run.value
    } onCancel: {
      continuation.yield(.stopped)
    }
  }

  private func run(_ line: [UInt8], _ ends: AsyncStream<RunEnd>, _ continuation: AsyncStream<RunEnd>.Continuation) async -> String? {
    var options = PlatformOptions()
    options.processGroupID = 0
    let teardown = [TeardownStep.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(2))]
    options.teardownSequence = teardown
    groups.willStart()
    defer { groups.ended() }
    do {
      let result = try await Subprocess.run(
        executable, arguments: Arguments(Array(command.dropFirst())), platformOptions: options, input: UpdateLine(bytes: line),
        output: .fileDescriptor(output == .standardOutput ? .standardOutput : .standardError, closeAfterSpawningProcess: false),
        error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false)
      ) { execution in
        let process = execution.processIdentifier.value
        groups.started(process)
        DispatchQueue(label: "end of a run").async {
          _ = clinux_await_end(process)
          continuation.yield(.exited)
        }
        // The command is reaped after this closure returns. Until then its group's number is valid.
        for await end in ends {
          if end == .stopped { await execution.teardown(using: teardown) }
          break
        }
      }
      return switch result.terminationStatus {
      case .exited(0): nil
      case .exited(let code): "`\(command[0])` failed with exit code \(code). Its change will be included in the next run."
      case .signaled(let signal): "`\(command[0])` was ended by signal \(signal). Its change will be included in the next run."
      }
    } catch {
      return "The command `\(command[0])` cannot be run: \(error)"
    }
  }

  /// The reason why a run is over.
  private enum RunEnd {
    case exited, stopped
  }
}

/// A line for a command that may not read it. If the write failed, `Subprocess` would leak a
/// descriptor and stop the program.
private struct UpdateLine: InputProtocol {
  let bytes: [UInt8]

  func write(with writer: StandardInputWriter) async {
    _ = try? await writer.write(bytes)
  }
}
