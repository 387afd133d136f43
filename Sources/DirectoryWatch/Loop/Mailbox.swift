import Synchronization

/// Where the watch's thread leaves batches and a reader fetches them. Holds at most one batch: what nobody has fetched yet is merged with what comes.
final class Mailbox: Sendable {
  private struct State {
    var batch = DirtyPaths()
    /// Whether some of it is git's.
    var isGits = false
    var readers: [(ticket: Int, continuation: CheckedContinuation<DirtyPaths?, Never>)] = []
    var lastTicket = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  func put(_ batch: DirtyPaths) {
    if batch.isEmpty { return }
    let reader = state.withLock { state -> CheckedContinuation<DirtyPaths?, Never>? in
      if state.isClosed { return nil }
      if !state.readers.isEmpty { return state.readers.removeFirst().continuation }
      state.batch.formUnion(batch)
      state.isGits = state.isGits || batch.origin == .git
      return nil
    }
    reader?.resume(returning: batch)
  }

  /// The next batch, first asked first served; `nil` when closed, or when the task is cancelled: then what is there stays for another reader.
  func take() async -> DirtyPaths? {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        register(continuation, ticket)
        // Cancelled before it was registered: the handler found nobody.
        if Task.isCancelled { cancel(ticket) }
      }
    } onCancel: {
      cancel(ticket)
    }
  }

  /// Whether git changed what a batch names, and nobody has fetched that yet.
  func isOvertaken(_ batch: DirtyPaths) -> Bool {
    state.withLock { $0.isGits && $0.batch.overlaps(batch) }
  }

  func close() {
    let readers = state.withLock { state in
      state.isClosed = true
      state.batch = DirtyPaths()
      defer { state.readers = [] }
      return state.readers
    }
    for reader in readers { reader.continuation.resume(returning: nil) }
  }

  private func register(_ continuation: CheckedContinuation<DirtyPaths?, Never>, _ ticket: Int) {
    let answer = state.withLock { state -> DirtyPaths?? in
      if state.isClosed { return .some(nil) }
      if state.batch.isEmpty || Task.isCancelled {
        state.readers.append((ticket, continuation))
        return nil
      }
      defer { (state.batch, state.isGits) = (DirtyPaths(), false) }
      return .some(state.batch)
    }
    if let answer { continuation.resume(returning: answer) }
  }

  private func cancel(_ ticket: Int) {
    let reader = state.withLock { state -> CheckedContinuation<DirtyPaths?, Never>? in
      guard let index = state.readers.firstIndex(where: { $0.ticket == ticket }) else { return nil }
      return state.readers.remove(at: index).continuation
    }
    reader?.resume(returning: nil)
  }
}
