/// A change that is not reported yet, because more changes of its path may follow.
struct UnsettledChange {
  typealias Instant = SuspendingClock.Instant

  /// The reason why it waits, which decides for how long.
  enum Reason { case unfinished, open, emptied, vanished, renamed }

  /// The first change of the path. It separates git's way of writing (remove, create) from an
  /// editor's (write in place, rename).
  enum Start {
    case creation, loss, change, rename

    var isGitStyle: Bool { self == .creation || self == .loss }

    /// Returns the start of a path that changed again. The first change decides, but a loss or a
    /// creation outweighs a mere change.
    static func first(_ old: Start?, then new: Start) -> Start {
      guard let old, old != .change else { return new }
      return old
    }
  }

  var reason: Reason
  let start: Start
  /// The times of the first and the last change.
  let since: Instant
  var last: Instant
  var cookie: UInt32 = 0
  /// The other name of a rename.
  var partner: DirtyPath?
  /// True if it happened in git's way while a marker of git was there.
  var isFromGit = false
  /// True if it is a rename while a marker of git was there. Of git's commands only `git mv`
  /// renames, so git must show other activity before the rename counts as git's.
  var mayBeFromGit = false

  /// True if the path is gone, or was replaced by a rename from a path that is.
  var isGone: Bool { reason == .vanished || reason == .renamed }

  /// Returns the end of the wait.
  ///
  /// - Parameters:
  ///   - lastLoss: The time at which the last path vanished: paths removed in a row are due
  ///     together. Without it the result is a lower bound.
  ///   - lastEvent: The time of the last event of any kind, for a subtree: its files are still
  ///     arriving.
  func deadline(_ timing: SettleTiming, lastLoss: Instant?, lastEvent: Instant?) -> Instant {
    let end = since + timing.maxWait
    switch reason {
    case .emptied: return min(last + timing.emptied, end)
    case .open: return min(last + timing.open, end)
    case .unfinished: return min((lastEvent ?? last) + timing.settle, end)
    case .vanished, .renamed: return min((lastLoss ?? last) + timing.settle, end)
    }
  }
}
