import CLinux
import Dispatch
import Glibc
import Synchronization

/// The process groups of ended commands that left processes running, so that these can be ended
/// with this program.
///
/// The kernel reuses the number of an empty group, so a number is used only while the group cannot
/// be empty. This process adopts the orphans of commands (``adoptOrphans()``). An ended child keeps
/// its group's number in use until it is reaped. All reaping happens here, under the lock that also
/// guards sending signals. The command itself is reaped by its own `run`; its group is signalled
/// here only after that has returned.
///
/// Processes that left the command's group are not ended, nor processes whose parent left it and
/// still runs.
final class ProcessGroups: Sendable {
  private enum Phase: Equatable {
    case none
    /// A command is being started. A child that ends now may be the command.
    case starting
    case running(pid_t)
  }

  private struct State {
    var phase = Phase.none
    /// The groups of earlier commands that contain children of this process.
    var left: Set<pid_t> = []
  }

  private let children: ChildProcesses
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "orphans")

  init(_ children: ChildProcesses = ChildProcesses()) {
    self.children = children
  }

  /// The groups in which an earlier command left processes running.
  var left: Set<pid_t> { state.withLock(\.left) }

  /// Makes this process the parent of the orphans of commands, and reaps them when they end. Only
  /// for programs that start no other processes.
  func adoptOrphans() {
    _ = clinux_adopt_orphans()
    let source = DispatchSource.makeSignalSource(signal: SIGCHLD, queue: queue)
    // The handler holds its source, which lives until the program ends.
    source.setEventHandler { [source, weak self] in
      _ = source
      self?.reap()
    }
    source.resume()
  }

  func willStart() { state.withLock { $0.phase = .starting } }

  func started(_ command: pid_t) { state.withLock { $0.phase = .running(command) } }

  /// Records that the command was reaped, or could not be started.
  func ended() {
    state.withLock { state in
      // A reused number does not matter: only processes of the command become children of this one.
      if case .running(let group) = state.phase, children.areIn(group) { state.left.insert(group) }
      state.phase = .none
    }
    reap()
  }

  /// Reaps ended children other than the command, and removes empty groups.
  func reap() {
    state.withLock { state in
      var last: pid_t?
      while state.phase != .starting, let child = children.nextEnded() {
        // The command comes first, so later children wait until its own run has reaped it, very
        // soon. A child that cannot be reaped must not be tried forever.
        if state.phase == .running(child) || child == last { break }
        children.reap(child)
        last = child
      }
      state.left = state.left.filter(children.areIn)
    }
  }

  /// Sends SIGTERM to all remaining processes, and SIGKILL after the grace period.
  func end(grace: Duration = .seconds(2)) async { await end(grace) { _ in true } }

  /// Ends the processes that remain in one group.
  func end(_ group: pid_t, grace: Duration) async { await end(grace) { $0 == group } }

  private func end(_ grace: Duration, _ isMeant: @Sendable (pid_t) -> Bool) async {
    reap()
    signal(SIGTERM, isMeant)
    let deadline = ContinuousClock.now + grace
    while left.contains(where: isMeant), .now < deadline {
      await Alarm.wait(for: .milliseconds(50))
      reap()
    }
    signal(SIGKILL, isMeant)
  }

  private func signal(_ signal: CInt, _ isMeant: (pid_t) -> Bool) {
    state.withLock { state in for group in state.left where isMeant(group) { children.signal(group, signal) } }
  }
}
