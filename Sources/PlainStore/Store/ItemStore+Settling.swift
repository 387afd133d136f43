import DirectoryWatch

/// Waiting for the lists, and reading again.
extension ItemStore {
  /// Returns when every list has everything that was written before the call, by this program or by
  /// any other. In tests and scripts it replaces waiting for some time:
  ///
  /// ```swift
  /// try "name: Ada".write(toFile: "contacts/ada.yaml", atomically: true, encoding: .utf8)
  /// await store.settled()
  /// print(results.snapshot.count)  // 1
  /// ```
  ///
  /// A ``LiveResults`` shows it a moment later, when the main actor is free: `await live.settled()`
  /// waits for that, too. So does a loop over `updates`.
  ///
  /// Written means that the system call has returned. The store asks the kernel for all events until
  /// now, and writes nothing; so it works in a folder that is read-only. It then waits for incomplete
  /// changes, as lists always do: for a deletion at least `WatchOptions.settle`; for a file that a
  /// program still has open, and for a git command that is not over, at most a few times
  /// `WatchOptions.maxWait`. After that time it returns although the change is not complete. A file
  /// that the system cannot read is not waited for.
  ///
  /// If the store polls, this costs one poll of the complete folder. If it does not watch, it reads
  /// the complete folder again, like ``refresh()``. Returns early when the task is cancelled.
  public func settled() async {
    guard let watch else { return await refresh() }
    defer { withExtendedLifetime(self) {} }
    await watch.settled()
    // A file may have to be read again for more than one reason, one after the other.
    for _ in 0..<3 where !Task.isCancelled {
      guard await withCheckedContinuation({ messages.send(.needsSecondRead(reply: $0)) }) else { return }
      await watch.settled()
    }
  }

  /// Reads the complete folder again, and returns when every list has what changed. Use it without a
  /// watch, or after a change that no event reports, such as a repaired mount.
  ///
  /// Costs a listing of all folders and an `open` of each file. Only files whose size, times or inode
  /// changed are read. Then it waits as ``settled()`` does.
  public func refresh() async {
    defer { withExtendedLifetime(self) {} }
    var all = DirtyPaths(subtrees: [.root])
    all.isRescan = true
    // First the watches, so that everything after the reading has an event.
    await watch?.restoreWatches()
    await withCheckedContinuation { messages.send(.dirty(all, following: watch, reply: $0)) }
    if watch != nil { await settled() }
  }
}
