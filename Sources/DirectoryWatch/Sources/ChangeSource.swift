/// A way to observe the changes below the root: events of inotify, or polling. Lives on the
/// watcher's thread.
///
/// A source never decides when a change is reported. It returns what it observed, and the
/// ``Settler`` decides.
protocol ChangeSource: AnyObject {
  typealias Instant = SuspendingClock.Instant

  /// The descriptor that is readable when there are events; `nil` if the source polls.
  var descriptor: Int32? { get }
  /// The time at which it must read without an event; `nil` if there is none.
  var deadline: Instant? { get }
  /// Returns `counters` with the counts of this source.
  func counting(in counters: WatchCounters) -> WatchCounters
  /// Returns the repository folder of a work tree, if the source watches it.
  func gitFolder(of tree: RelativePath) -> GitFolder?

  /// Begins to observe, and lists what is there.
  func start(at now: Instant) throws(WatchError) -> (listing: DirectoryScan.Listing, report: SourceReport)
  /// Returns the next observations.
  ///
  /// - Parameter isDecisionDue: True if a pending change is due. A source that polls then polls
  ///   first, so that the decision rests on the current state.
  func read(at now: Instant, isDecisionDue: Bool) -> SourceReport
  /// Makes sure that changes at and below a folder are observed from now on.
  func restoreWatches(_ folder: RelativePath, at now: Instant) -> SourceReport
  /// Restores everything after events were lost.
  func recoverFromOverflow(at now: Instant) -> SourceReport
  /// Replaces the filter.
  func setFilter(_ filter: WatchFilter, at now: Instant) -> SourceReport
}

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
