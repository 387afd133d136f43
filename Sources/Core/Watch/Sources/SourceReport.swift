import Files

/// The result of one call of a ``ChangeSource``.
struct SourceReport {
  /// The time of every observation.
  let time: SuspendingClock.Instant
  /// In the order in which they happened.
  var observations: [Observation] = []
  /// True if the kernel has no more events.
  var isDrained = true
  /// True if there is no root now; `nil` if the call did not check.
  var isRootGone: Bool?
  /// The error that ends this source. The observations before it are valid.
  var failure: WatchError?
}

/// One fact that a ``ChangeSource`` observed.
enum Observation: Sendable, Hashable {
  case change(PathChange, of: DirtyPath)
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
