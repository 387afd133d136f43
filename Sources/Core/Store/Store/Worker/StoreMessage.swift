extension AsyncStream<StoreMessage>.Continuation {
  /// Sends a message. One that comes after the end of the store is answered here.
  func send(_ message: StoreMessage) {
    guard case .terminated = yield(message) else { return }
    switch message {
    case .dirty(_, _, _, let reply): reply.resume()
    case .needsSecondRead(let reply): reply.resume(returning: false)
    case .freshState(let reply):
      reply.resume(returning: StoreContents(settings: Settings(), options: ReadOptions()).state)
    case .save(_, let reply): reply.resume(returning: .failure(StoreError(.system, "The store is closed.")))
    case .event, .resume: break
    }
  }
}

/// A message to a store's worker. Messages are handled one at a time, in the order in which they were sent.
enum StoreMessage {
  /// The watch has a batch; or it is time for the next part of an audit, and everything that was
  /// noticed before was read.
  case event
  /// Paths are to be read. `watch` is the watch that names them if git changes them meanwhile: its
  /// batches are then read in the same step. `reply` is resumed once every list has the step.
  /// `isCertain` is true if no program can be writing the files.
  case dirty(
    DirtyPaths, following: DirectoryWatcher?, isCertain: Bool = false, reply: CheckedContinuation<Void, Never>
  )
  /// Asks whether some files must be read a second time before their findings count.
  case needsSecondRead(reply: CheckedContinuation<Bool, Never>)
  /// Asks for the contents without last good items.
  case freshState(reply: CheckedContinuation<StoreState, Never>)
  /// Changes are to be written. `reply` gets the report once every list has all of them, or after the
  /// grace period of replaced files.
  case save(SaveRequest, reply: CheckedContinuation<Result<SaveAnswer, StoreError>, Never>)
  case resume(save: Int)
}

struct SaveRequest {
  let changes: [PendingChange]
  let policy: MergePolicy?
  /// True to make all changes or none.
  var isAtomic = false
  /// The turn among the updates of these items. It ends once all lists have the changes, unless one failed.
  let turn: UpdateTurn?
  /// The computed effects of slow changes, by their numbers.
  var preparations: [Int: EditTarget] = [:]
  /// The number of times that slow changes were worked out.
  var rounds = 0
}

enum SaveAnswer {
  case made(SaveReport)
  /// Nothing was written. The changes with these numbers are slow: they must be worked out first, or
  /// again because their files have changed since.
  case slow(Set<Int>)
}
