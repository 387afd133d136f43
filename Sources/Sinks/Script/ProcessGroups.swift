import CLinux
import Dispatch
import Glibc
import Synchronization

/// The process groups of commands that are over and left something running, so that it can be ended with this program.
///
/// The kernel gives the number of a group that is empty to another process, so a number is only used while it cannot have changed hands. This process adopts what a
/// command leaves behind (``adoptOrphans()``). A child that ended keeps its group's number until it is reaped, and all reaping happens here, under the lock under
/// which signals are sent. The command itself is reaped by its own `run`, and its group is not signalled from here before that has returned.
///
/// Not ended: a process that left the command's group, and one whose parent did so and still runs.
final class ProcessGroups: Sendable {
  private enum Run: Equatable {
    case none
    /// A command is being started: a child that ends now may be the command.
    case starting
    case running(pid_t)
  }

  private struct State {
    var run = Run.none
    /// Groups of earlier commands in which there are children of this process.
    var left: Set<pid_t> = []
  }

  private let children: ChildProcesses
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "orphans")

  init(_ children: ChildProcesses = ChildProcesses()) {
    self.children = children
  }

  /// The groups that hold something that an earlier command left behind.
  var left: Set<pid_t> { state.withLock(\.left) }

  /// Makes this process the parent of what commands leave behind, and reaps it as it ends. For a program that starts processes in no other way.
  func adoptOrphans() {
    _ = clinux_adopt_orphans()
    // An older kernel reports the end of a command by the same signal, to Subprocess: orphans are then reaped after each run.
    guard clinux_has_process_descriptors() == 1 else { return }
    let source = DispatchSource.makeSignalSource(signal: SIGCHLD, queue: queue)
    // The handler holds its source, which lives until the program ends.
    source.setEventHandler { [source, weak self] in
      _ = source
      self?.reap()
    }
    source.resume()
  }

  func willStart() { state.withLock { $0.run = .starting } }

  func started(_ command: pid_t) { state.withLock { $0.run = .running(command) } }

  /// Records that the command was reaped, or could not be started.
  func ended() {
    state.withLock { state in
      // No other process can become a child of this one, so the check cannot be fooled by a number in other hands.
      if case .running(let group) = state.run, children.areIn(group) { state.left.insert(group) }
      state.run = .none
    }
    reap()
  }

  /// Reaps what has ended, other than the command, and forgets the groups that are empty.
  func reap() {
    state.withLock { state in
      var last: pid_t?
      while state.run != .starting, let child = children.nextEnded() {
        // The command hides what ended after it, but is reaped by its own run in a moment. What cannot be reaped must not be tried for ever.
        if state.run == .running(child) || child == last { break }
        children.reap(child)
        last = child
      }
      state.left = state.left.filter(children.areIn)
    }
  }

  /// Asks every process that is left to end, and kills it after two seconds.
  func end() async {
    reap()
    signal(SIGTERM)
    for _ in 0..<40 where !left.isEmpty {
      // The task may be cancelled by now, so it would not sleep.
      await Task.detached { try? await Task.sleep(for: .milliseconds(50)) }.value
      reap()
    }
    signal(SIGKILL)
  }

  private func signal(_ signal: CInt) {
    state.withLock { state in for group in state.left { children.signal(group, signal) } }
  }
}
