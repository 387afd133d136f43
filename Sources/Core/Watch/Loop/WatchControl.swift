import CLinux
import Files
import Glibc
import Synchronization

/// The commands of other threads to the watcher's thread, and the state that it publishes for them.
///
/// One lock guards everything; no other lock is taken under it, and no user code runs under it.
final class WatchControl: Sendable {
  enum Command: Sendable {
    case rescan(RelativePath)
    /// Reports files and folders when the time has passed and they are complete.
    case recheck(DirtyPaths, after: Duration)
    case scheduleTick(after: Duration)
    case setFilter(WatchFilter)
    /// Sets the watches that are missing.
    case restoreWatches(Latch)
    /// Waits until every change that was made until now has been delivered.
    case settle(Latch)
    /// Asks whether git is changing a path of the batch, as of all events until now.
    case isOvertaken(DirtyPaths, CheckedContinuation<Bool, Never>)
  }

  private struct State {
    var commands: [Command] = []
    var isStopped = false
    var counters = WatchCounters()
    var gitIdleState = GitIdleState()
    var hasEnded = false
    /// The entries that were there when the watches were set; empty once they were fetched.
    var listing = DirectoryScan.Listing()
  }

  /// Lock: guards the commands for the watcher's thread, and what it publishes.
  private let state = Mutex(State())
  /// An eventfd that wakes the thread.
  let wakeup: Descriptor

  init(root: String) throws(WatchError) {
    let raw = clinux_eventfd()
    if raw < 0 { throw .running("eventfd", root, errno) }
    wakeup = Descriptor(owning: raw)
  }

  // MARK: For other threads

  /// The counters at the end of the thread's last round.
  var counters: WatchCounters { state.withLock(\.counters) }

  /// Returns the first listing, and forgets it.
  func consumeListing() -> DirectoryScan.Listing {
    state.withLock { exchange(&$0.listing, with: DirectoryScan.Listing()) }
  }

  func send(_ command: Command) {
    state.withLock { state in
      // A rescan of the root includes every rescan before it.
      if case .rescan(.root) = command {
        state.commands.removeAll { if case .rescan = $0 { true } else { false } }
      }
      state.commands.append(command)
    }
    wakeUp()
  }

  /// Sends a command and waits until the thread has carried it out, until the thread ends, or until
  /// the task is cancelled.
  func perform(_ command: (Latch) -> Command) async {
    let latch = Latch()
    if append(command(latch)) { await latch.wait() }
  }

  /// Sends a command that needs an answer. Returns false if the thread has ended.
  private func append(_ command: Command) -> Bool {
    let hasEnded = state.withLock { state in
      if !state.hasEnded { state.commands.append(command) }
      return state.hasEnded
    }
    if !hasEnded { wakeUp() }
    return !hasEnded
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    wakeUp()
  }

  /// Returns true if git is changing a path of `batch`. The answer comes at the end of the thread's
  /// next round; it is `false` if the thread ends before.
  func isOvertaken(_ batch: DirtyPaths) async -> Bool {
    await withCheckedContinuation { continuation in
      if !append(.isOvertaken(batch, continuation)) { continuation.resume(returning: false) }
    }
  }

  private func wakeUp() {
    var one: UInt64 = 1
    // The write fails only if the counter is full, and then the descriptor is readable already.
    _ = withUnsafeBytes(of: &one) { one in retryOnInterrupt { write(wakeup.raw, one.baseAddress, one.count) }
    }
  }

  // MARK: For the watcher's thread

  var isStopped: Bool { state.withLock(\.isStopped) }

  /// The state of git at the end of the thread's last round. Other threads read it, too.
  var gitIdleState: GitIdleState {
    get { state.withLock(\.gitIdleState) }
    set { state.withLock { $0.gitIdleState = newValue } }
  }

  func removeCommands() -> [Command] { state.withLock { exchange(&$0.commands, with: []) } }

  func publish(_ listing: DirectoryScan.Listing) {
    state.withLock { $0.listing = listing }
  }

  func publish(_ counters: WatchCounters) {
    state.withLock { $0.counters = counters }
  }

  /// Makes the wakeup descriptor unreadable again. Returns false if that fails.
  func resetWakeup() -> Bool {
    var count: UInt64 = 0
    return withUnsafeMutableBytes(of: &count) { count in
      retryOnInterrupt { read(wakeup.raw, count.baseAddress, count.count) }
    } >= 0
  }

  /// Refuses further commands, and answers the queries that are left.
  func end() {
    let left = state.withLock { state in
      state.hasEnded = true
      defer { state.commands = [] }
      return state.commands
    }
    for command in left {
      switch command {
      case .isOvertaken(_, let continuation): continuation.resume(returning: false)
      case .restoreWatches(let latch), .settle(let latch): latch.open()
      case .rescan, .recheck, .scheduleTick, .setFilter: break
      }
    }
  }
}
