import Query
@testable import Store
import Watch

extension ItemStore {
  /// Has the store's worker read paths, and waits until every list has what changed.
  ///
  /// - Parameter watch: The watch whose next batches belong to the same step, as for a batch of it.
  func scan(_ dirty: DirtyPaths, following watch: DirectoryWatcher? = nil) async {
    await withCheckedContinuation { messages.send(.dirty(dirty, following: watch, reply: $0)) }
  }
}
