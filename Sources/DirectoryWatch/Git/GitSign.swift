/// A file or folder in a repository's own folder that is there while git changes the work tree.
enum GitSign: Hashable, Sendable {
  /// `index.lock` and its kin. Held for milliseconds, or left behind by a crash.
  case lock(String)
  /// The index that `git stash` makes for files that git does not know: there while they come back, and gone just before they go. No lock is held meanwhile.
  case stash(String)
  /// What a command of several steps leaves between its locks, and keeps when it stops at a conflict.
  case steps(String)
  /// What a step leaves once the work tree is done: until it is committed by the command itself, or, where it stopped, by the user.
  case stop(String)

  private static let stepsNames: Set<String> = ["rebase-merge", "rebase-apply", "rebased-patches", "sequencer"]
  private static let stopNames: Set<String> = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"]

  /// From the bytes of a name; `nil` for what says nothing about the work tree.
  init?(name: some Sequence<UInt8>) {
    let name = String(decoding: Array(name), as: UTF8.self)
    if Self.stepsNames.contains(name) {
      self = .steps(name)
    } else if Self.stopNames.contains(name) {
      self = .stop(name)
    } else if name == "HEAD.lock" || (name.hasSuffix(".lock") && (name.hasPrefix("index") || name.hasPrefix("next-index"))) {
      // `git stash` and `git commit FILE` work with indexes of their own: index.stash.123.lock, next-index-123.lock.
      self = .lock(name)
    } else if name.hasPrefix("index.stash.") {
      self = .stash(name)
    } else {
      return nil
    }
  }

  /// Whether it is there for moments only, and for as long as the work tree changes.
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
