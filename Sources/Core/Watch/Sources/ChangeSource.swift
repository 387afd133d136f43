import Files

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

  /// Returns the next events. A source that polls does so first if a decision about a pending change is
  /// due, so that the decision rests on the current state.
  func read(at now: Instant, isDecisionDue: Bool) -> SourceReport
  /// The position up to which the source has read. It grows with each read.
  var position: Int { get }
  /// The position after everything that has happened until now.
  var endPosition: Int { get }
  /// Makes sure that changes at and below a folder are observed from now on.
  func restoreWatches(_ folder: RelativePath, at now: Instant) -> SourceReport
  /// Restores everything after events were lost.
  func recoverFromOverflow(at now: Instant) -> SourceReport
  func setFilter(_ filter: WatchFilter, at now: Instant) -> SourceReport
}

struct SourceReport {
  /// The time of every event.
  let time: SuspendingClock.Instant
  /// In the order in which they happened.
  var events: [SourceEvent] = []
  /// In the report of the start: the entries that are there.
  var listing = DirectoryScan.Listing()
  /// True if the kernel has no more events.
  var isDrained = true
  /// True if there is no root now; `nil` if the call did not check.
  var isRootGone: Bool?
  /// The error that ends this source. The events before it are valid.
  var failure: WatchError?
}

/// One event that a ``ChangeSource`` observed: a hint that something may be different.
enum SourceEvent: Hashable {
  /// A change of one path, as a source observes it.
  enum Change: Hashable {
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
  case git(GitEvent, in: RelativePath)
  /// The repository of this work tree was found, lost or changed in some way; the thread must stat
  /// its folder again.
  case repository(of: RelativePath)
  /// A work tree below the root. `superproject` is the work tree whose repository contains its repository.
  case workTree(RelativePath, superproject: RelativePath?)
  /// The kernel's queue overflowed, so that events are lost.
  case overflow
}
