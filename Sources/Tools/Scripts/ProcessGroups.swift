import CLinux
import Dispatch
import Files
import Glibc
import Synchronization
import Processes

/// The process groups of all commands of this program: those that run, and those of ended commands
/// that left processes running, so that these can be ended with their sink.
///
/// The kernel reuses the number of an empty group, so a number is used only while the group cannot
/// be empty. This process adopts the orphans of commands (``adoptOrphans()``). An ended child keeps
/// its group's number in use until it is reaped. All reaping happens here, under the lock that also
/// guards sending signals: a command is reaped for its own run (``end(of:reap:)``), and everything
/// that `OwnChildren` does not list is reaped as soon as it ends.
///
/// Processes that left the command's group are not ended, nor processes whose parent left it and
/// still runs.
final class ProcessGroups: Sendable {
  struct Owner: Hashable {
    private static let count = Atomic(0)
    private let number = Owner.count.wrappingAdd(1, ordering: .relaxed).newValue

    init() {}
  }

  private struct State {
    /// The groups of commands that were not reaped yet.
    var running: [pid_t: Owner] = [:]
    /// The groups of earlier commands that contain children of this process.
    var left: [pid_t: Owner] = [:]
    var adoptsOrphans = false
  }

  static let shared = ProcessGroups()

  private let children: ChildProcesses
  private let own: OwnChildren
  /// Lock: guards the process groups of commands and of what they left. Signals are sent, orphans
  /// are reaped, and `OwnChildren.state` is locked, under it.
  private let state = Mutex(State())

  init(_ children: ChildProcesses = ChildProcesses(), own: OwnChildren = .shared) {
    self.children = children
    self.own = own
  }

  var left: Set<pid_t> { state.withLock { Set($0.left.keys) } }

  /// Makes this process the parent of the orphans of commands, and reaps them when they end. Only
  /// for programs that start each other process by `OwnChildren`.
  func adoptOrphans() {
    let isFirst = state.withLock { state in
      defer { state.adoptsOrphans = true }
      return !state.adoptsOrphans
    }
    guard isFirst else { return }
    _ = clinux_adopt_orphans()
    let source = DispatchSource.makeSignalSource(signal: SIGCHLD, queue: Alarm.queue)
    // The handler holds its source, which lives until the program ends.
    source.setEventHandler { [source, weak self] in
      _ = source
      self?.reap()
    }
    source.resume()
    own.reapOrphans { [weak self] in self?.reap() }
  }

  func start<Failure: Error>(for owner: Owner, _ spawn: () throws(Failure) -> pid_t) throws(Failure) -> pid_t
  {
    try own.start { () throws(Failure) in
      let command = try spawn()
      state.withLock { $0.running[command] = owner }
      return command
    }
  }

  /// Reaps a command that has ended, and keeps its group if it left processes running.
  func end<Result: Sendable>(of command: pid_t, reap: () -> Result) -> Result {
    let result = state.withLock { state in
      let result = reap()
      if let owner = state.running.removeValue(forKey: command), children.areIn(command) {
        state.left[command] = owner
      }
      return result
    }
    own.reaped(command)
    self.reap()
    return result
  }

  /// Reaps ended children that no run waits for, and removes empty groups.
  func reap() {
    state.withLock { state in
      for group in state.left.keys { reapAll(in: group) }
      reapAll(in: nil)
      state.left = state.left.filter { children.areIn($0.key) }
    }
  }

  /// Reaps ended children up to the first one that has an owner: the kernel would name it again and
  /// again. Its owner reaps it very soon, and then the others are retried.
  private func reapAll(in group: pid_t?) {
    var last: pid_t?
    // A child that cannot be reaped must not be tried forever.
    while let child = children.nextEnded(group), child != last, own.mayReap(child) {
      children.reap(child)
      last = child
    }
  }

  /// Sends SIGTERM to what the commands of an owner left running, and SIGKILL after the grace period.
  func end(allOf owner: Owner, grace: Duration = .seconds(2)) async { await end(grace) { $1 == owner } }

  func end(_ group: pid_t, grace: Duration) async { await end(grace) { found, _ in found == group } }

  /// Sends SIGKILL to every command and to what earlier ones left, because this program ends now.
  func killAll() {
    state.withLock { state in
      for group in Array(state.running.keys) + state.left.keys { children.signal(group, SIGKILL) }
    }
  }

  private func end(_ grace: Duration, _ isMeant: @Sendable (pid_t, Owner) -> Bool) async {
    reap()
    signal(SIGTERM, isMeant)
    let deadline = ContinuousClock.now + grace
    while state.withLock({ $0.left.contains { isMeant($0.key, $0.value) } }), .now < deadline {
      await Alarm.wait(for: .milliseconds(50))
      reap()
    }
    signal(SIGKILL, isMeant)
  }

  private func signal(_ signal: CInt, _ isMeant: (pid_t, Owner) -> Bool) {
    state.withLock { state in
      for (group, owner) in state.left where isMeant(group, owner) { children.signal(group, signal) }
    }
  }
}

/// The system calls on the children of this process that `ProcessGroups` makes.
struct ChildProcesses {
  /// Returns true if a child is in the group, running or ended and not reaped.
  var areIn: @Sendable (_ group: pid_t) -> Bool = { clinux_has_children($0) == 1 }
  /// Returns a child that has ended and is not reaped; it stays so. Nil for a group means any.
  var nextEnded: @Sendable (_ group: pid_t?) -> pid_t? = { group in
    let child = clinux_next_ended_child(group ?? 0)
    return child > 0 ? child : nil
  }
  /// Reaps a child that has ended. Its number, and that of its group if it was the last member, can
  /// then be given to any process.
  var reap: @Sendable (pid_t) -> Void = { _ = waitpid($0, nil, WNOHANG) }
  var signal: @Sendable (_ group: pid_t, CInt) -> Void = { _ = kill(-$0, $1) }
}
