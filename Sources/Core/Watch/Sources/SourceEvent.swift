import Files

/// One event that a ``ChangeSource`` observed: a hint that something may be different.
enum SourceEvent: Sendable, Hashable {
  /// A change of one path, as a source observes it.
  enum Change: Sendable, Hashable {
    /// Removed or renamed away. The cookie links it to its `arrived`; it is 0 if there is none.
    case vanished(cookie: UInt32)
    case created(isEmpty: Bool)
    /// Written to, and still open.
    case written(isEmpty: Bool)
    /// Its attributes changed, or the kind of change is unknown.
    case changed(isEmpty: Bool)
    /// Closed after writing.
    case completed(isEmpty: Bool)
    /// Renamed into place.
    case arrived(cookie: UInt32)
    /// No change is known, but a user of the watcher requested a check.
    case requested
  }

  case change(Change, of: DirtyPath)
  /// An event in the repository of a work tree.
  case git(GitEvent, in: RelativePath)
  /// The repository of this work tree was found, lost or changed in some way; the thread must stat
  /// its folder again.
  case repository(of: RelativePath)
  /// A work tree below the root. `superproject` is the work tree whose repository contains its
  /// repository.
  case workTree(RelativePath, superproject: RelativePath?)
  /// The kernel's queue overflowed, so that events are lost.
  case overflow
}
