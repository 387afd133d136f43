/// An event in a repository's own folder.
enum GitEvent: Sendable, Hashable {
  case appeared(GitMarker)
  /// `isUsed` is true if a lock was renamed to the file that it was for, and false if it was
  /// dropped.
  case disappeared(GitMarker, isUsed: Bool)
  /// HEAD was replaced.
  case headReplaced
  /// ORIG_HEAD was replaced: HEAD is about to move, and not for a checkout.
  case origHeadReplaced
  /// Something else happened there. Only git writes there.
  case activity
  /// The markers that are there when the watch begins or finds the repository. `isAtWork` is true
  /// if the repository was created just now, with a work tree that git has begun to fill.
  case found(Set<GitMarker>, isAtWork: Bool)
  /// The markers that are there after events were lost.
  case recovered(Set<GitMarker>)
  /// The process of git that was at work has ended, and no other is at work.
  case processEnded
  /// The repository is gone.
  case removed

  /// True if the event shows that a command does more than read.
  var isActivity: Bool {
    switch self {
    case .appeared(let marker): !marker.isLock
    case .disappeared(let marker, let isUsed): isUsed || !marker.isLock
    case .headReplaced, .origHeadReplaced, .activity: true
    case .found, .recovered, .processEnded, .removed: false
    }
  }
}
