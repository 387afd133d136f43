import Files
import Synchronization

/// The place where the watcher's thread leaves events and readers fetch them.
///
/// One lock guards everything. Readers are resumed after it is released, and no other lock is taken
/// under it.
///
/// It holds at most one batch and one tick: a batch that nobody has fetched yet is merged with the
/// next one.
final class Mailbox: Sendable {
  fileprivate enum Tick {
    case none, afterBatch, next
  }

  fileprivate struct Reader {
    let ticket: Int
    /// True if the reader leaves a tick to others.
    let wantsBatch: Bool
    let receive: @Sendable (WatchEvent?) -> Void
  }

  /// A task that waits until the reader has handled everything that was in the mailbox before.
  fileprivate struct Barrier {
    let latch: Latch
    /// True until the reader has fetched the batch that was in the mailbox.
    var awaitsBatch: Bool
  }

  fileprivate struct State {
    var batch = DirtyPaths()
    /// True if a part of `batch` was changed by git.
    var hasGitChanges = false
    /// A tick never overtakes the batch that was there before it, and no later batch overtakes the
    /// tick. So a busy folder cannot delay it forever.
    var tick = Tick.none
    /// The readers that wait, in the order of their calls.
    var readers: [Reader] = []
    var lastTicket = 0
    var barriers: [Barrier] = []
    var isClosed = false
  }

  /// Lock: guards the batch and the tick that nobody has fetched yet, and who waits for them.
  private let state = Mutex(State())

  func put(_ event: WatchEvent) {
    let reader = state.withLock { state -> Reader? in
      if state.isClosed { return nil }
      if let reader = state.removeReader(for: event) { return reader }
      state.keep(event)
      return nil
    }
    reader?.receive(event)
  }

  /// Returns the next event; readers are served in the order in which they ask. Returns `nil` if
  /// the mailbox is closed or the task is cancelled: then the event stays for another reader.
  func next() async -> WatchEvent? {
    await event(wantsBatch: false)
  }

  /// Returns the next batch, before others get it, and leaves a tick where it is.
  func nextBatch() async -> DirtyPaths? {
    guard case .dirty(let batch)? = await event(wantsBatch: true) else { return nil }
    return batch
  }

  /// Returns true if git changed a path of `batch` and that change hasn't been fetched yet.
  func isOvertaken(_ batch: DirtyPaths) -> Bool {
    state.withLock { $0.hasGitChanges && $0.batch.overlaps(batch) }
  }

  /// Waits until the reader has handled every batch that was put here before the call: it has
  /// fetched the batch and asked for the next event. There must be one reader that handles one
  /// event after the other. Returns at once if the mailbox is closed, and when the task is
  /// cancelled.
  func drained() async {
    let latch = Latch()
    let isDrained = state.withLock { state in
      if state.isClosed || (state.batch.isEmpty && state.readers.contains { !$0.wantsBatch }) { return true }
      state.barriers.append(Barrier(latch: latch, awaitsBatch: !state.batch.isEmpty))
      return false
    }
    if !isDrained { await latch.wait() }
  }

  /// True while a task waits in ``drained()``.
  var hasBarrier: Bool { state.withLock { !$0.barriers.isEmpty } }

  func close() {
    let (readers, barriers) = state.withLock { state in
      state.isClosed = true
      (state.batch, state.tick) = (DirtyPaths(), .none)
      defer { (state.readers, state.barriers) = ([], []) }
      return (state.readers, state.barriers)
    }
    for reader in readers { reader.receive(nil) }
    for barrier in barriers { barrier.latch.open() }
  }

  /// Calls `receive` with the next event, here or on the thread that puts it; with nil if the mailbox
  /// is closed.
  func next(_ receive: @escaping @Sendable (WatchEvent?) -> Void) {
    register(Reader(ticket: nextTicket(), wantsBatch: false, receive: receive), isCancelled: false)
  }

  private func nextTicket() -> Int {
    state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
  }

  private func event(wantsBatch: Bool) async -> WatchEvent? {
    let ticket = nextTicket()
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
      if state.isClosed { return .some(nil) }
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

extension Mailbox.State {
  /// Removes and returns the first reader that waits for such an event. Readers of batches come
  /// first: they are in the middle of reading the batch before.
  fileprivate mutating func removeReader(for event: WatchEvent) -> Mailbox.Reader? {
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
    defer { (batch, hasGitChanges) = (DirtyPaths(), false) }
    for index in barriers.indices { barriers[index].awaitsBatch = false }
    return .dirty(batch)
  }

  /// Removes and returns the latches of the barriers whose batch has been fetched. Called when the
  /// reader asks for the next event.
  fileprivate mutating func removePassedBarriers() -> [Latch] {
    defer { barriers.removeAll { !$0.awaitsBatch } }
    return barriers.filter { !$0.awaitsBatch }.map(\.latch)
  }
}
