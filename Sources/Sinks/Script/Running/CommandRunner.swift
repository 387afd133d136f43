import CLinux
import Dispatch
import Glibc
import LinuxFiles
import PlainStore
import Subprocess
import SystemPackage

/// Runs a command, one run at a time, each in a process group of its own.
///
/// A run has only three descriptors, default signals, and the environment of this program with the
/// additions of the run. It ends when the command itself has ended. Processes that it left running
/// are ended with ``end()``; after a timeout or a cancellation they end with the run.
package final class CommandRunner: Sendable {
  private let launch: CommandLaunch
  private let groups: ProcessGroups
  private let executor = QueueExecutor("run")

  /// Makes a runner.
  ///
  /// - Parameters:
  ///   - launch: The command, and how to run it.
  ///   - groups: The process groups of ended runs.
  init(_ launch: CommandLaunch, _ groups: ProcessGroups) {
    // A command may end without reading. Writing to it must then fail instead of ending this
    // program.
    signal(SIGPIPE, SIG_IGN)
    self.launch = launch
    self.groups = groups
  }

  /// Makes a runner of a command.
  package convenience init(_ launch: CommandLaunch) {
    self.init(launch, ProcessGroups())
  }

  /// Makes this process the parent of the processes that runs leave behind. Without it, ``end()``
  /// cannot end these. Only for programs that start no other processes.
  package func adoptOrphans() { groups.adoptOrphans() }

  /// Ends the processes that earlier runs left running: SIGTERM, the grace period, SIGKILL.
  package func end() async { await groups.end(grace: launch.grace) }

  /// Runs the command once and waits for its end.
  ///
  /// If the task is cancelled, the command's process group receives SIGTERM, and SIGKILL after the
  /// grace period; the result is `.stopped`. A cancelled task starts nothing.
  ///
  /// - Parameters:
  ///   - input: The bytes of its standard input. The command may leave them unread.
  ///   - environment: Additions to the environment of this program.
  ///   - timeout: The time after which the run is stopped as by a cancellation; the result is
  ///     `.timedOut`. If nil, a run may take any time.
  package func run(input: [UInt8], environment: [(name: String, value: [UInt8])] = [], timeout: Duration? = nil) async -> RunEnd {
    await supervised { events in
      await self.run(environment, timeout, events) { pipe in
        _ = await pipe.write(input)
        pipe.finish()
      }
    }
  }

  /// Runs `body` in a task that is never cancelled: on cancellation, Subprocess would signal the
  /// group even after it has reaped the command.
  private func supervised(_ body: @escaping @Sendable (RunEvents) async -> RunEnd) async -> RunEnd {
    if Task.isCancelled { return .stopped }
    let events = RunEvents()
    let run = Task(executorPreference: executor) { await body(events) }
    return await withTaskCancellationHandler {
      await run.value
    } onCancel: {
      events.stop(as: .stopped)
    }
  }

  private func run(
    _ additions: [(name: String, value: [UInt8])], _ timeout: Duration?, _ events: RunEvents,
    writing: @escaping @Sendable (CommandInput) async -> Void
  ) async -> RunEnd {
    let program: FilePath, input: CommandInput
    do {
      program = try await launch.resolvedProgram()
      input = try CommandInput()
    } catch {
      return .notStarted(reason(of: error))
    }
    defer { input.interrupt() }
    groups.willStart()
    var group: pid_t?
    let end: RunEnd
    do {
      let result = try await Subprocess.run(
        .path(program), arguments: Arguments(Array(launch.words.dropFirst())), environment: environment(additions),
        platformOptions: options, input: .fileDescriptor(FileDescriptor(rawValue: input.child.raw), closeAfterSpawningProcess: false),
        output: .fileDescriptor(launch.output == .standardOutput ? .standardOutput : .standardError, closeAfterSpawningProcess: false),
        error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false)
      ) { execution in
        let process = execution.processIdentifier.value
        group = process
        groups.started(process)
        // Otherwise writing could not fail when the command is gone.
        input.child.close()
        events.watch(process)
        let writer = Task(executorPreference: executor) { await writing(input) }
        let alarm = timeout.map { Alarm(after: $0) { events.stop(as: .timedOut) } }
        let verdict = await events.end(grace: launch.grace) { signal in
          // The command is reaped after this closure returns. Until then its group's number is
          // valid.
          try? execution.send(signal: signal, toProcessGroup: true)
        }
        alarm?.cancel()
        input.interrupt()
        await writer.value
        return verdict
      }
      end = result.closureResult ?? RunEnd(result.terminationStatus)
    } catch {
      end = .notStarted(reason(of: error))
    }
    groups.ended()
    if let group, end == .timedOut || end == .stopped { await groups.end(group, grace: launch.grace) }
    return end
  }

  private var options: PlatformOptions {
    var options = PlatformOptions()
    options.processGroupID = 0
    return options
  }

  /// Returns the entries of the child's environment, each with the NUL that Subprocess expects.
  private func environment(_ additions: [(name: String, value: [UInt8])]) -> Environment {
    .custom(ChildEnvironment(adding: additions).entries.map { $0 + [0] })
  }

  private func reason(of error: any Error) -> String {
    switch error {
    case let error as Errno: error.reason
    case let error as SubprocessError where error.code == .executableNotFound: "it, or the interpreter in its first line, does not exist"
    case let error as SubprocessError: error.underlyingError?.reason ?? "\(error)"
    default: "\(error)"
    }
  }
}

extension RunEnd {
  fileprivate init(_ status: TerminationStatus) {
    switch status {
    case .exited(let code): self = .exited(code)
    case .signaled(let signal): self = .signaled(signal)
    }
  }
}
