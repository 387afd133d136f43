package import Folder
import Watch

extension ItemStore {
  /// Waits until every list shows everything that any program wrote before the call. In tests and
  /// scripts, use it instead of a delay:
  ///
  /// ```swift
  /// try "name: Ada".write(toFile: "contacts/ada.yaml", atomically: true, encoding: .utf8)
  /// await store.settled()
  /// print(results.snapshot.count)  // 1
  /// ```
  ///
  /// Loops over `updates`, and views that observe a list, follow a moment later.
  ///
  /// "Wrote" means that the system call has returned. The store reads all events that the kernel
  /// has queued. It writes nothing, so this works in a read-only folder. Then it waits for
  /// incomplete changes, as lists always do:
  ///
  /// - for a deletion, at least 60 ms;
  /// - for a file that a program still has open, and for a git command that still runs, at most a few times 5
  ///   seconds. After that time it returns although the change is incomplete.
  ///
  /// It does not wait for a file that the system cannot read.
  ///
  /// If the store polls, this costs one poll of the complete folder. If it does not watch, it reads
  /// the complete folder again, like ``refresh()``. Returns early when the task is cancelled.
  public func settled() async {
    guard let watch else { return await refresh() }
    defer { withExtendedLifetime(self) {} }
    // A folder above that loses or regains its permissions causes no event.
    let isReadable = (try? OpenFolder(location)) != nil
    if isReadable != (currentState.folderProblem == nil) { watch.rescan() }
    await watch.settled()
    // A second reading can make a third one necessary.
    for _ in 0..<3 where !Task.isCancelled {
      guard await withCheckedContinuation({ messages.send(.needsSecondRead(reply: $0)) }) else { return }
      await watch.settled()
    }
  }

  /// Reads the complete folder again, and returns when every list shows what changed. Use it in a
  /// store that does not watch, or after a change that no event reports, such as a repaired mount.
  ///
  /// Costs a listing of all folders and an `open` of each file. Only files whose size, times or
  /// inode changed are read. Then it waits as ``settled()`` does.
  public func refresh() async {
    defer { withExtendedLifetime(self) {} }
    var all = DirtyPaths(subtrees: [.root])
    all.isRescan = true
    // The watches come first, so that every change after the reading has an event.
    await watch?.restoreWatches()
    await withCheckedContinuation { messages.send(.dirty(all, following: watch, reply: $0)) }
    if watch != nil { await settled() }
  }

  /// Returns the contents that a new store of this folder would have: without the last good items
  /// of files with a problem.
  ///
  /// The one difference is the limit of what aliases add to all files together, in which last good
  /// items keep their part.
  package func freshState() async -> StoreState {
    defer { withExtendedLifetime(self) {} }
    return await withCheckedContinuation { messages.send(.freshState(reply: $0)) }
  }
}
