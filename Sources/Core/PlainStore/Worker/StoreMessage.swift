import Folder
import Watch

/// A message to a store's worker. Messages are handled one at a time, in the order in which they
/// were sent.
enum StoreMessage: Sendable {
  /// Paths may have changed. `watch` is the watch that named them: if git changes them again while
  /// they are read, its next batches are read in the same step. `reply` is resumed once every list
  /// has the step. `isCertain` is true if no program can be writing the files.
  case dirty(
    DirtyPaths, following: DirectoryWatcher?, isCertain: Bool = false, reply: CheckedContinuation<Void, Never>
  )
  /// Asks whether some files must be read a second time before their findings count.
  case needsSecondRead(reply: CheckedContinuation<Bool, Never>)
  /// Asks for the contents without last good items.
  case freshState(reply: CheckedContinuation<StoreState, Never>)
  /// The time for the next part of an audit has come, and everything that was noticed before it is
  /// in an earlier message.
  case tick
  /// Changes are to be written. `reply` gets the report once every list has all of them, or after the
  /// grace period of replaced files.
  case save(SaveRequest, reply: CheckedContinuation<Result<SaveAnswer, StoreError>, Never>)
  /// The grace period of a save is over.
  case resume(save: Int)
}

/// Changes to write.
struct SaveRequest: Sendable {
  let changes: [PendingChange]
  let policy: MergePolicy?
  /// The turn that these changes have among the updates of their items. It ends once every list has
  /// all of them, unless one failed.
  let turn: UpdateTurn?
  /// The computed effects of slow changes, by their numbers.
  var preparations: [Int: EditTarget] = [:]
  /// The number of times that slow changes were worked out.
  var rounds = 0
}

/// The answer to a request to save.
enum SaveAnswer: Sendable {
  case made(SaveReport)
  /// Nothing was written. The changes with these numbers are slow: they must be worked out first, or
  /// again because their files have changed since.
  case slow(Set<Int>)
}
