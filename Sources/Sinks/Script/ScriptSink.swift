import CLinux
import Dispatch
import Glibc
package import PlainStore
package import PlainText
import Subprocess
import Synchronization
import SystemPackage

/// Runs a command for each update, one at a time, with the update's JSON line on its standard input.
///
/// What changes while it runs is in the next run, as one diff. A run that failed is reported, and its change is offered again together with the next one.
/// There is no shell, and nothing of a file is in the arguments or the environment.
package struct ScriptSink: Sendable {
  private let command: [String]
  private let output: Stream
  private let clock: @Sendable () -> Timestamp
  private let tellsProblems: Bool
  private let told: @Sendable (ResultsEvent) -> Void
  private let report: @Sendable (String) -> Void
  private let groups = ProcessGroups()
  private let executor = QueueExecutor("run")

  /// Which of our own streams the command writes to.
  package enum Stream: Sendable {
    case standardOutput
    case standardError
  }

  /// - Parameters:
  ///   - command: the program and its arguments; not empty.
  ///   - tellsProblems: whether `report` is handed the problems of files, too: where nothing else prints them.
  ///   - told: is handed every update that a command is given, just before.
  ///   - report: is handed a sentence about each run that failed.
  package init(
    _ command: [String], output: Stream, tellsProblems: Bool = false, clock: @escaping @Sendable () -> Timestamp,
    told: @escaping @Sendable (ResultsEvent) -> Void = { _ in },
    report: @escaping @Sendable (String) -> Void
  ) {
    precondition(!command.isEmpty, "a script has at least a program")
    // A command may end without reading: the write to it then has to fail, not to end this program.
    signal(SIGPIPE, SIG_IGN)
    self.command = command
    self.output = output
    self.clock = clock
    self.tellsProblems = tellsProblems
    self.told = told
    self.report = report
  }

  /// Nil where the program is found and may be run, else the sentence that says why not.
  package func missingProgram() async -> String? {
    if isPath { return missingPath() }
    do {
      _ = try await executable.resolveExecutablePath(in: .inherit)
      return nil
    } catch {
      return "The command `\(command[0])` cannot be found; give its path or one that $PATH has."
    }
  }

  private func missingPath() -> String? {
    var status = stat()
    if stat(command[0], &status) != 0 { return "The command `\(command[0])` cannot be run: \(String(cString: strerror(errno)))." }
    if status.st_mode & S_IFMT != S_IFREG { return "The command `\(command[0])` cannot be run: it is no file." }
    return access(command[0], X_OK) == 0
      ? nil : "The command `\(command[0])` cannot be run: permission denied; `chmod +x` makes it a program."
  }

  /// Follows a list until it ends or the task is cancelled; then what is left of the runs is told to end.
  ///
  /// - Parameters:
  ///   - start: the list that the first run is a change of.
  ///   - subscription: one that was given `start`.
  ///   - onStep: called with the start and every step, before its run.
  package func follow(from start: ResultsSnapshot, _ subscription: ResultsSubscription, onStep: () -> Void = {}) async {
    groups.adoptOrphans()
    var encoder = StreamEncoder()
    encoder.snapshot(start) { _ in }
    onStep()
    tell(start.problems.map(ProblemChange.raised))
    while let event = await subscription.next() {
      onStep()
      switch event {
      case .snapshot: break
      case .step(let update?, let problems):
        tell(problems)
        var attempt = encoder
        let line = attempt.update(update, time: clock())
        told(event)
        if let failure = await run(line) {
          if Task.isCancelled { break }
          report(failure)
          subscription.returnLastStep()
        } else {
          encoder = attempt
        }
      case .step(update: nil, let problems): tell(problems)
      }
    }
    await groups.end()
  }

  /// A command is told of updates; what is wrong with files is for the person who started it.
  private func tell(_ problems: [ProblemChange]) {
    guard tellsProblems else { return }
    for case .raised(let problem) in problems { report(problem.description) }
  }

  private var isPath: Bool { command[0].utf8.contains(UInt8(ascii: "/")) }

  private var executable: Executable { isPath ? .path(.init(command[0])) : .name(command[0]) }

  /// Nil when the command ended well. If the task is cancelled, the command's process group is asked to end, and killed after two seconds.
  private func run(_ line: [UInt8]) async -> String? {
    let (ends, continuation) = AsyncStream<End>.makeStream()
    // In a task that is not cancelled: Subprocess would signal the group by its number at any time, even after it has reaped the command.
    let run = Task(executorPreference: executor) { await self.run(line, ends, continuation) }
    return await withTaskCancellationHandler {
      await run.value
    } onCancel: {
      continuation.yield(.stopped)
    }
  }

  private func run(_ line: [UInt8], _ ends: AsyncStream<End>, _ continuation: AsyncStream<End>.Continuation) async -> String? {
    var options = PlatformOptions()
    options.processGroupID = 0
    let teardown = [TeardownStep.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(2))]
    options.teardownSequence = teardown
    groups.willStart()
    defer { groups.ended() }
    do {
      let result = try await Subprocess.run(
        executable, arguments: Arguments(Array(command.dropFirst())), platformOptions: options, input: Line(bytes: line),
        output: .fileDescriptor(output == .standardOutput ? .standardOutput : .standardError, closeAfterSpawningProcess: false),
        error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false)
      ) { execution in
        let process = execution.processIdentifier.value
        groups.started(process)
        DispatchQueue(label: "end of a run").async {
          _ = clinux_await_end(process)
          continuation.yield(.exited)
        }
        // The command is reaped after this closure has returned: until then its group's number is its own.
        for await end in ends {
          if end == .stopped { await execution.teardown(using: teardown) }
          break
        }
      }
      return switch result.terminationStatus {
      case .exited(0): nil
      case .exited(let code): "`\(command[0])` failed with exit code \(code); its change comes again with the next one."
      case .signaled(let signal): "`\(command[0])` was ended by signal \(signal); its change comes again with the next one."
      }
    } catch {
      return "`\(command[0])` could not be run: \(error)"
    }
  }

  /// Why a run is no longer awaited.
  private enum End {
    case exited, stopped
  }
}

/// A line for a command that need not read it. `Subprocess` lets a write that fails leave a descriptor open, and stops the program because of that.
private struct Line: InputProtocol {
  let bytes: [UInt8]

  func write(with writer: StandardInputWriter) async {
    _ = try? await writer.write(bytes)
  }
}
