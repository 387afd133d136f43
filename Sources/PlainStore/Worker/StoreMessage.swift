import DirectoryWatch

/// A message to a store's worker. Messages are handled one at a time, in the order in which they
/// were sent.
enum StoreMessage: Sendable {
  /// Paths may have changed. `watch` is the watch that named them: if git changes them again while
  /// they are read, its next batches are read in the same step. `reply` is resumed once every list
  /// has the step. `isCertain` is true if no program can be writing the files.
  case dirty(DirtyPaths, following: DirectoryWatcher?, isCertain: Bool = false, reply: CheckedContinuation<Void, Never>)
  /// Asks whether some files must be read a second time before their findings count.
  case needsSecondRead(reply: CheckedContinuation<Bool, Never>)
  /// Asks for the contents without last good items.
  case freshState(reply: CheckedContinuation<StoreState, Never>)
  /// The time for the next part of an audit has come, and everything that was noticed before it is
  /// in an earlier message.
  case tick
  /// Changes are to be written. `turn` ends once every list has all of them, unless one failed.
  /// `reply` gets the report then, or after the grace period of replaced files.
  case save([PendingChange], MergePolicy?, turn: UpdateTurn? = nil, reply: CheckedContinuation<Result<SaveReport, StoreError>, Never>)
  /// A save that has let others go first, or has waited, continues.
  case resume(save: Int)
}
