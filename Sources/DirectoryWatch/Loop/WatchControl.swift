import CLinux
import Glibc
import LinuxFiles
import Synchronization

/// What other threads ask of the watch's thread, and what they may read of it.
final class WatchControl: Sendable {
  enum Command: Sendable {
    case rescan(RelativePath)
    /// Reports files and folders when the time has passed and they are complete.
    case recheck(DirtyPaths, after: Duration)
    case scheduleTick(after: Duration)
    case setFilter(WatchFilter)
    /// Whether git is changing what the batch names, as of all events until now.
    case isOvertaken(DirtyPaths, CheckedContinuation<Bool, Never>)
  }

  private struct State {
    var commands: [Command] = []
    var isStopped = false
    var counters = WatchCounters()
    var gitQuiet = GitQuiet()
    var hasEnded = false
  }

  private let state = Mutex(State())
  /// An eventfd that wakes the thread.
  let bell: Descriptor

  init(root: String) throws(WatchError) {
    let raw = clinux_eventfd()
    if raw < 0 { throw .running("eventfd", root, errno) }
    bell = Descriptor(owning: raw)
  }

  var counters: WatchCounters { state.withLock(\.counters) }
  var isStopped: Bool { state.withLock(\.isStopped) }

  func send(_ command: Command) {
    state.withLock { state in
      // A rescan of the root includes every rescan before it.
      if case .rescan(.root) = command { state.commands.removeAll { if case .rescan = $0 { true } else { false } } }
      state.commands.append(command)
    }
    ring()
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    ring()
  }

  /// Answered at the end of the thread's next round; `false` where it ends before.
  func isOvertaken(_ batch: DirtyPaths) async -> Bool {
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if !state.hasEnded { state.commands.append(.isOvertaken(batch, continuation)) }
        return state.hasEnded
      }
      if hasEnded { continuation.resume(returning: false) } else { ring() }
    }
  }

  /// The thread will take no more commands.
  func end() {
    let left = state.withLock { state in
      state.hasEnded = true
      defer { state.commands = [] }
      return state.commands
    }
    for case .isOvertaken(_, let continuation) in left { continuation.resume(returning: false) }
  }

  /// What the thread knew of git at the end of its last round.
  var gitQuiet: GitQuiet {
    get { state.withLock(\.gitQuiet) }
    set { state.withLock { $0.gitQuiet = newValue } }
  }

  func removeCommands() -> [Command] {
    state.withLock { state in
      defer { state.commands = [] }
      return state.commands
    }
  }

  func publish(_ counters: WatchCounters) {
    state.withLock { $0.counters = counters }
  }

  /// False where it goes on ringing.
  func silence() -> Bool {
    var count: UInt64 = 0
    return withUnsafeMutableBytes(of: &count) { count in retryOnInterrupt { read(bell.raw, count.baseAddress, count.count) } } >= 0
  }

  private func ring() {
    var one: UInt64 = 1
    // Full means that it rings already.
    _ = withUnsafeBytes(of: &one) { one in retryOnInterrupt { write(bell.raw, one.baseAddress, one.count) } }
  }
}
