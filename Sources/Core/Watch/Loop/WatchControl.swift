import CLinux
import Files
import Glibc
import Synchronization

/// The exchange between the watcher's thread and other threads: commands to the thread, events from it,
/// and the state that it publishes.
///
/// It holds at most one batch and one tick: a batch that nobody has fetched yet is merged with the
/// next one.
///
/// One lock guards everything. Readers are resumed after it is released, no other lock is taken
/// under it, and no user code runs under it.
final class WatchControl: Sendable {
  enum Command {
    case rescan(RelativePath)
    /// Reports files and folders when the time has passed and they are complete.
    case recheck(DirtyPaths, after: Duration)
    case scheduleTick(after: Duration)
    case setFilter(WatchFilter)
    case restoreWatches(Latch)
    /// Waits until every change that was made until now has been delivered.
    case settle(Latch)
    /// Asks whether git is changing a path of the batch, as of all events until now.
    case isOvertaken(DirtyPaths, CheckedContinuation<Bool, Never>)
  }

  fileprivate enum Tick {
    case none, afterBatch, next
  }

  fileprivate struct Reader {
    let ticket: Int
    /// True if the reader leaves a tick to others.
    let wantsBatch: Bool
    let receive: @Sendable (WatchEvent?) -> Void
  }

  /// A task that waits until the reader has handled every batch that was there before.
  fileprivate struct Barrier {
    let latch: Latch
    /// True until the reader has fetched that batch.
    var awaitsBatch: Bool
  }

  fileprivate struct State {
    var commands: [Command] = []
    var isStopped = false
    var hasEnded = false
    var counters = WatchCounters()
    var gitIdleState = GitIdleState()
    /// The entries that were there when the watches were set; empty once they were fetched.
    var listing = DirectoryScan.Listing()

    var batch = DirtyPaths()
    /// True if a part of `batch` was changed by git.
    var hasGitChanges = false
    /// A tick never overtakes the batch that was there before it, and no later batch overtakes the
    /// tick. So a busy folder cannot delay it forever.
    var tick = Tick.none
    /// The readers that wait, in the order of their calls.
    var readers: [Reader] = []
    var listeners: [@Sendable () -> Void] = []
    var lastTicket = 0
    var barriers: [Barrier] = []
  }

  /// Lock: guards the commands for the watcher's thread, what it publishes, the batch and the tick that
  /// nobody has fetched yet, and who waits for them.
  private let state = Mutex(State())
  let wakeup: Descriptor

  init(root: String) throws(WatchError) {
    let raw = clinux_eventfd()
    if raw < 0 { throw .running("eventfd", root, errno) }
    wakeup = Descriptor(owning: raw)
  }

  // MARK: Commands

  /// Sends a command. Returns false if the thread has ended.
  @discardableResult
  func send(_ command: Command) -> Bool {
    let hasEnded = state.withLock { state in
      // A rescan of the root includes every rescan before it.
      if case .rescan(.root) = command {
        state.commands.removeAll { if case .rescan = $0 { true } else { false } }
      }
      if !state.hasEnded { state.commands.append(command) }
      return state.hasEnded
    }
    if !hasEnded { wakeUp() }
    return !hasEnded
  }

  /// Sends a command and waits until the thread has carried it out or ended, or the task is cancelled.
  func perform(_ command: (Latch) -> Command) async {
    let latch = Latch()
    if send(command(latch)) { await latch.wait() }
  }

  func stop() {
    let (readers, barriers) = state.withLock { state in
      state.isStopped = true
      state.batch = DirtyPaths()
      state.tick = .none
      defer {
        state.readers = []
        state.listeners = []
        state.barriers = []
      }
      return (state.readers, state.barriers)
    }
    wakeUp()
    for reader in readers { reader.receive(nil) }
    for barrier in barriers { barrier.latch.open() }
  }

  /// Asks the thread only if git isn't known to be idle; it answers at the end of its next round.
  func isOvertaken(_ batch: DirtyPaths) async -> Bool {
    if !gitIdleState.isIdle(for: batch) {
      let isChanging = await withCheckedContinuation { continuation in
        if !send(.isOvertaken(batch, continuation)) { continuation.resume(returning: false) }
      }
      if isChanging { return true }
    }
    return holdsGitChanges(of: batch)
  }

  private func wakeUp() {
    var one: UInt64 = 1
    // The write fails only if the counter is full, and then the descriptor is readable already.
    _ = withUnsafeBytes(of: &one) { one in retryOnInterrupt { write(wakeup.raw, one.baseAddress, one.count) }
    }
  }

  // MARK: For the watcher's thread

  var isStopped: Bool { state.withLock(\.isStopped) }

  func removeCommands() -> [Command] { state.withLock { exchange(&$0.commands, with: []) } }

  func publish(_ listing: DirectoryScan.Listing) { state.withLock { $0.listing = listing } }

  /// Gives an event to the first reader that waits; otherwise keeps it and tells the listeners.
  func put(_ event: WatchEvent) {
    let (reader, listeners) = state.withLock { state -> (Reader?, [@Sendable () -> Void]) in
      if state.isStopped { return (nil, []) }
      if let reader = state.removeReader(for: event) { return (reader, []) }
      state.keep(event)
      return (nil, exchange(&state.listeners, with: []))
    }
    reader?.receive(event)
    for listener in listeners { listener() }
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

  // MARK: Published state

  var counters: WatchCounters {
    get { state.withLock(\.counters) }
    set { state.withLock { $0.counters = newValue } }
  }

  var gitIdleState: GitIdleState {
    get { state.withLock(\.gitIdleState) }
    set { state.withLock { $0.gitIdleState = newValue } }
  }

  func consumeListing() -> DirectoryScan.Listing {
    state.withLock { exchange(&$0.listing, with: DirectoryScan.Listing()) }
  }

  // MARK: Events

  /// Returns the next event; readers are served in the order in which they ask. Returns `nil` after
  /// ``stop()``, or if the task is cancelled: then the event stays for another reader.
  func next() async -> WatchEvent? {
    await event(wantsBatch: false)
  }

  /// Returns the next batch, before others get it, and leaves a tick where it is.
  func nextBatch() async -> DirtyPaths? {
    guard case .dirty(let batch)? = await event(wantsBatch: true) else { return nil }
    return batch
  }

  /// See ``DirectoryWatcher/listen(_:)``. The event stays until somebody takes it, so a task that needs the
  /// next batch gets it even if it asks after this call.
  func listen(_ listener: @escaping @Sendable () -> Void) {
    var passed: [Latch] = []
    let hasEvent = state.withLock { state in
      if state.isStopped { return false }
      passed = state.removePassedBarriers()
      if state.isEmpty { state.listeners.append(listener) }
      return !state.isEmpty
    }
    for latch in passed { latch.open() }
    if hasEvent { listener() }
  }

  func take() -> WatchEvent? { state.withLock { $0.removeNext(wantsBatch: false) } }

  /// Returns true if git changed a path of `batch` and that change hasn't been fetched yet.
  func holdsGitChanges(of batch: DirtyPaths) -> Bool {
    state.withLock { $0.hasGitChanges && $0.batch.overlaps(batch) }
  }

  /// Waits until the one reader has fetched every batch that was put here before the call, and has asked
  /// for the next event. Returns at once after ``stop()``, and when the task is cancelled.
  func drained() async {
    let latch = Latch()
    let isDrained = state.withLock { state in
      let isAsking = !state.listeners.isEmpty || state.readers.contains { !$0.wantsBatch }
      if state.isStopped || (state.batch.isEmpty && isAsking) { return true }
      state.barriers.append(Barrier(latch: latch, awaitsBatch: !state.batch.isEmpty))
      return false
    }
    if !isDrained { await latch.wait() }
  }

  var hasBarrier: Bool { state.withLock { !$0.barriers.isEmpty } }

  private func event(wantsBatch: Bool) async -> WatchEvent? {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let reader = Reader(ticket: ticket, wantsBatch: wantsBatch) { continuation.resume(returning: $0) }
        register(reader, isCancelled: Task.isCancelled)
        // If the task was cancelled before it was registered, the handler has found no reader.
        if Task.isCancelled { cancel(ticket) }
      }
    } onCancel: {
      cancel(ticket)
    }
  }

  private func register(_ reader: Reader, isCancelled: Bool) {
    var passed: [Latch] = []
    let answer = state.withLock { state -> WatchEvent?? in
      if state.isStopped { return .some(nil) }
      if !reader.wantsBatch { passed = state.removePassedBarriers() }
      if !isCancelled, let event = state.removeNext(wantsBatch: reader.wantsBatch) {
        return .some(event)
      }
      state.readers.append(reader)
      return nil
    }
    for latch in passed { latch.open() }
    if let answer { reader.receive(answer) }
  }

  private func cancel(_ ticket: Int) {
    let reader = state.withLock { state -> Reader? in
      guard let index = state.readers.firstIndex(where: { $0.ticket == ticket }) else { return nil }
      return state.readers.remove(at: index)
    }
    reader?.receive(nil)
  }
}

extension WatchControl.State {
  fileprivate var isEmpty: Bool { batch.isEmpty && tick == .none }

  /// Readers of batches come first: they are in the middle of reading the batch before.
  fileprivate mutating func removeReader(for event: WatchEvent) -> WatchControl.Reader? {
    let forAny = readers.firstIndex { !$0.wantsBatch }
    let index = event == .tick ? forAny : readers.firstIndex(where: \.wantsBatch) ?? forAny
    return index.map { readers.remove(at: $0) }
  }

  fileprivate mutating func keep(_ event: WatchEvent) {
    switch event {
    case .dirty(let new):
      batch.formUnion(new)
      hasGitChanges = hasGitChanges || new.origin == .git
    case .tick where tick == .none: tick = batch.isEmpty ? .next : .afterBatch
    case .tick: break
    }
  }

  fileprivate mutating func removeNext(wantsBatch: Bool) -> WatchEvent? {
    if tick == .next, !wantsBatch {
      tick = .none
      return .tick
    }
    if batch.isEmpty { return nil }
    if tick == .afterBatch { tick = .next }
    defer {
      batch = DirtyPaths()
      hasGitChanges = false
    }
    for index in barriers.indices { barriers[index].awaitsBatch = false }
    return .dirty(batch)
  }

  /// Removes and returns the latches of the barriers whose batch has been fetched.
  fileprivate mutating func removePassedBarriers() -> [Latch] {
    defer { barriers.removeAll { !$0.awaitsBatch } }
    return barriers.filter { !$0.awaitsBatch }.map(\.latch)
  }
}
