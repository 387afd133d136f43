import CLinux
import Dispatch
import Glibc
import Store
import SystemPackage
import Processes

/// Runs a command, one run at a time, each in its own process group.
///
/// A run has only three descriptors, default signals, and the environment of this program with the
/// additions of the run. It ends when the command itself has ended. Processes that it left running
/// are ended with ``end()``; after a timeout or a cancellation they end with the run.
package final class CommandRunner: Sendable {
  private let launch: CommandLaunch
  private let groups: ProcessGroups
  private let owner = ProcessGroups.Owner()
  /// Queue: starts one run of the command and waits for its end. Blocks in `posix_spawn`.
  private let executor = QueueExecutor("run")
  private let outputs = OutputRelays()
  private let write: @Sendable (CommandLaunch.Stream, [UInt8]) throws -> Void

  init(
    _ launch: CommandLaunch, _ groups: ProcessGroups = .shared,
    write: (@Sendable (CommandLaunch.Stream, [UInt8]) throws -> Void)? = nil
  ) {
    self.launch = launch
    self.groups = groups
    let capture = launch.capture
    self.write =
      write ?? { stream, bytes in
        if let capture { return capture(bytes) }
        try withoutSIGPIPE { () throws(Errno) in
          try (stream == .standardOutput ? FileDescriptor.standardOutput : .standardError).write(all: bytes)
        }
      }
  }

  /// Makes this process the parent of the processes that runs leave behind. Without it, ``end()``
  /// cannot end these. Only for programs that start no other processes.
  package func adoptOrphans() { groups.adoptOrphans() }

  /// Makes this process the parent of the processes that the runs of any command leave behind.
  /// Only for programs that start each other process by `OwnChildren`.
  package static func adoptOrphans() { ProcessGroups.shared.adoptOrphans() }

  /// Kills all commands of this program and what they left behind, because it ends now.
  package static func killAll() { ProcessGroups.shared.killAll() }

  /// Ends the processes that earlier runs left running: SIGTERM, the grace period, SIGKILL. Then
  /// passes on what they wrote last.
  package func end() async {
    await groups.end(allOf: owner, grace: launch.grace)
    let (end, continuation) = AsyncStream<Void>.makeStream()
    outputs.drain(nil) { continuation.finish() }
    // A write to our own output may block, if its reader does not read.
    let alarm = Alarm(after: launch.grace) { continuation.finish() }
    // In a cancelled task, the loop would end at once, so it runs in a new one.
    await Task(executorPreference: executor) { for await _ in end {} }.value
    alarm.cancel()
  }

  /// Runs the command once and waits for its end. The command may leave its input unread.
  ///
  /// If the task is cancelled, the command's process group receives SIGTERM, and SIGKILL after the
  /// grace period; the result is `.stopped`. A cancelled task starts nothing. A timeout does the same,
  /// with the result `.timedOut`.
  package func run(
    input: [UInt8], environment: [(name: String, value: [UInt8])] = [], timeout: Duration? = nil
  ) async -> RunEnd {
    await supervised { events in
      await self.run(environment, timeout, events) { pipe in
        _ = pipe.write(input)
        pipe.finish()
      }
    }
  }

  /// Runs the command once, and writes a line at a time to its standard input, until the lines end.
  ///
  /// Lines of digits on its standard output are acknowledgements. Its other output is passed on.
  /// Cancelling the task ends it as ``run(input:environment:timeout:)`` does. `onInputClosed` is called
  /// if the command closes its input before it read everything.
  func converse(
    environment: [(name: String, value: [UInt8])] = [], lines: AsyncStream<[UInt8]>,
    onAcknowledgement: @escaping @Sendable (String) -> Void,
    onInputClosed: @escaping @Sendable () -> Void = {}
  ) async -> RunEnd {
    await supervised { events in
      await self.run(environment, nil, events, onAcknowledgement: onAcknowledgement) { pipe in
        for await line in lines where !pipe.write(line) {
          onInputClosed()
          break
        }
        pipe.finish()
      }
    }
  }

  /// Runs `body` in a task that is never cancelled, so that it can wait for the end of the command.
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
    onAcknowledgement: (@Sendable (String) -> Void)? = nil,
    writing: @escaping @Sendable (CommandInput) async -> Void
  ) async -> RunEnd {
    let (program, problem) = launch.findProgram()
    if let problem { return .notStarted(problem) }
    let streams: ChildStreams
    do throws(Errno) {
      streams = try ChildStreams(launch, outputs, onAcknowledgement: onAcknowledgement, write: write)
    } catch {
      return .notStarted(sentence(about: error))
    }
    let process: Child
    do throws(Errno) {
      let directory = launch.directory.map { [(name: "PWD", value: Array($0.utf8))] } ?? []
      let environment = Child.environment(adding: directory + additions)
      let arguments = launch.words.dropFirst().map { Array($0.utf8) }
      process = try Child(
        program, arguments, environment: environment, streams.descriptors, in: launch.directory
      ) {
        [groups, owner] spawn throws(Errno) in try groups.start(for: owner, spawn)
      }
    } catch {
      streams.closeChildEnds()
      return .notStarted(sentence(about: error))
    }
    streams.closeChildEnds()
    events.watch(process.number)
    // Queue: writes to a command that may not read. Blocks in `write`, `poll`.
    let writer = Task(executorPreference: QueueExecutor("input of a run")) { await writing(streams.input) }
    let alarm = timeout.map { Alarm(after: $0) { events.stop(as: .timedOut) } }
    let reasonToStop = await events.end(grace: launch.grace) { signal in
      // The process is reaped below. Until then its group's number is valid.
      process.signal(signal)
    } drain: { then in
      if streams.relays.isEmpty { then() } else { outputs.drain(streams.relays, then: then) }
    }
    alarm?.cancel()
    writer.cancel()
    streams.input.interrupt()
    await writer.value
    let status = groups.end(of: process.number) { process.status() }
    guard let reasonToStop else { return RunEnd(Child.End(status: status ?? 0)) }
    await groups.end(process.number, grace: launch.grace)
    return reasonToStop
  }

  private func sentence(about error: Errno) -> String {
    let reason: String
    switch error {
    case .noSuchFileOrDirectory: reason = "it, or the interpreter in its first line, does not exist"
    case .execFormatError:
      reason = "it is neither a program for this machine nor a script that begins with `#!`"
    default: reason = error.reason
    }
    return "The command `\(launch.words.first ?? "")` cannot be run: \(reason)."
  }
}

extension Child {
  /// Returns the environment of this program, byte for byte, with additions. An addition replaces each
  /// entry of the same name, and ends at its first NUL, which no entry can contain.
  static func environment(
    adding additions: [(name: String, value: [UInt8])], to inherited: [[UInt8]] = currentEnvironment
  ) -> [[UInt8]] {
    let prefixes = additions.map { Array("\($0.name)=".utf8) }
    let kept = inherited.filter { entry in !prefixes.contains { entry.starts(with: $0) } }
    return kept + zip(prefixes, additions).map { $0 + $1.value.prefix { $0 != 0 } }
  }

  static var currentEnvironment: [[UInt8]] {
    var entries: [[UInt8]] = []
    var next = environ
    while let entry = next.pointee {
      entries.append(
        Array(UnsafeBufferPointer(start: entry, count: strlen(entry)).map(UInt8.init(bitPattern:))))
      next += 1
    }
    return entries
  }
}

private struct ChildStreams {
  let input: CommandInput
  /// The relays of its output and its errors, or of its output alone; empty if the command writes to
  /// our descriptors.
  private(set) var relays: [OutputRelay] = []
  private let launch: CommandLaunch

  init(
    _ launch: CommandLaunch, _ outputs: OutputRelays,
    onAcknowledgement: (@Sendable (String) -> Void)?,
    write: @escaping @Sendable (CommandLaunch.Stream, [UInt8]) throws -> Void
  ) throws(Errno) {
    self.launch = launch
    input = try CommandInput()
    let lines = launch.label != nil || launch.capture != nil ? LabelledLines(launch.label) : nil
    guard lines != nil || onAcknowledgement != nil else { return }
    relays.append(
      try OutputRelay(lines, onAcknowledgement: onAcknowledgement) { try write(launch.output, $0) })
    if let lines {
      relays.append(try OutputRelay(lines, onAcknowledgement: nil) { try write(.standardError, $0) })
    }
    try outputs.add(relays)
  }

  var descriptors: Child.Streams {
    let output = launch.output == .standardOutput ? STDOUT_FILENO : STDERR_FILENO
    return Child.Streams(
      input: input.child.raw, output: relays.first?.child.raw ?? output,
      error: relays.dropFirst().first?.child.raw ?? STDERR_FILENO)
  }

  /// Closes our copies of the child's ends, as soon as it runs or could not be started. Otherwise
  /// neither side could notice the end of the other.
  func closeChildEnds() {
    input.child.close()
    for relay in relays { relay.child.close() }
  }
}

/// Waits for the end of one run, and stops it if asked to.
private final class RunEvents: Sendable {
  private enum Event {
    case ended
    case drained
    case stop(RunEnd)
    case graceIsOver
  }

  private let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  init() { (events, continuation) = AsyncStream.makeStream() }

  /// Observes the end of a process. The process is not reaped.
  func watch(_ process: pid_t) {
    // Queue: waits for a command's end. Blocks in `waitid`.
    DispatchQueue(label: "end of a run").async { [continuation] in
      _ = clinux_await_end(process)
      continuation.yield(.ended)
    }
  }

  /// Asks for the run to be stopped. Only the first call counts.
  func stop(as end: RunEnd) { continuation.yield(.stop(end)) }

  /// Waits for the end of the process and of its output, and stops it if asked to: SIGTERM, the
  /// grace period, SIGKILL.
  ///
  /// Passing on the output may block, if our reader does not read. A run that is to be stopped
  /// waits for its output no longer than the grace period.
  ///
  /// - Parameters:
  ///   - signal: Sends a signal to the group of the process. Not called after its end.
  ///   - drain: Passes on what the process has written, and then calls its argument.
  /// - Returns: Why the process was stopped; nil if it ended by itself.
  func end(grace: Duration, signal: (CInt) -> Void, drain: (@escaping @Sendable () -> Void) -> Void) async
    -> RunEnd?
  {
    var reasonToStop: RunEnd?
    var hasEnded = false
    var alarm: Alarm?
    defer { alarm?.cancel() }
    for await event in events {
      switch event {
      case .ended:
        hasEnded = true
        drain { [continuation] in continuation.yield(.drained) }
      case .drained: return reasonToStop
      case .stop where hasEnded: return reasonToStop
      case .stop(let end) where reasonToStop == nil:
        reasonToStop = end
        signal(SIGTERM)
        alarm = Alarm(after: grace) { [continuation] in continuation.yield(.graceIsOver) }
      case .stop: break
      case .graceIsOver:
        if hasEnded { return reasonToStop }
        signal(SIGKILL)
      }
    }
    return reasonToStop
  }
}
