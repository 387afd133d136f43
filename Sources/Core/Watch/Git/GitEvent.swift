enum GitEvent: Hashable {
  case appeared(GitMarker)
  /// `isUsed` is true if a lock was renamed to the file that it was for, and false if it was dropped.
  case disappeared(GitMarker, isUsed: Bool)
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

/// A file or folder in a repository's own folder that is there while git changes the work tree.
enum GitMarker: Hashable {
  /// `index.lock` and similar files. Held for milliseconds, or left behind by a crash.
  case lock(String)
  /// The index that `git stash` makes for untracked files. It exists while these files are
  /// restored, and is removed just before they are deleted. No lock is held in between.
  case stash(String)
  /// The state that a command of several steps keeps between its locks, and when it stops at a conflict.
  case steps(String)
  /// The state after a step has changed the work tree, until it is committed: by the command itself
  /// or, if it stopped, by the user.
  case stop(String)

  private static let stepsNames: Set<String> = [
    "rebase-merge", "rebase-apply", "rebased-patches", "sequencer",
  ]
  private static let stopNames: Set<String> = [
    "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD",
  ]

  /// `nil` if the name, given as bytes, says nothing about the work tree.
  init?(name: some Sequence<UInt8>) {
    let name = String(decoding: Array(name), as: UTF8.self)
    if Self.stepsNames.contains(name) {
      self = .steps(name)
    } else if Self.stopNames.contains(name) {
      self = .stop(name)
    } else if name == "HEAD.lock"
      || (name.hasSuffix(".lock") && (name.hasPrefix("index") || name.hasPrefix("next-index")))
    {
      // `git stash` and `git commit FILE` use indexes of their own: index.stash.123.lock,
      // next-index-123.lock.
      self = .lock(name)
    } else if name.hasPrefix("index.stash.") {
      self = .stash(name)
    } else {
      return nil
    }
  }

  /// True if it exists only briefly, and only while the work tree changes.
  var isLock: Bool {
    switch self {
    case .lock, .stash: true
    case .steps, .stop: false
    }
  }

  var isStash: Bool {
    if case .stash = self { true } else { false }
  }

  var isStop: Bool {
    if case .stop = self { true } else { false }
  }
}
