/// A file or folder in a repository's own folder that is there while git changes the work tree.
enum GitSign: Hashable, Sendable {
  /// `index.lock` and its kin. Held for milliseconds, or left behind by a crash.
  case lock(String)
  /// What a command of several steps leaves between its locks, and keeps when it stops at a conflict.
  case step(String)

  private static let steps: Set<String> = ["rebase-merge", "rebase-apply", "sequencer", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"]

  /// From the bytes of a name; `nil` for what says nothing about the work tree.
  init?(name: some Sequence<UInt8>) {
    let name = String(decoding: Array(name), as: UTF8.self)
    if Self.steps.contains(name) {
      self = .step(name)
    } else if name == "HEAD.lock" || (name.hasSuffix(".lock") && (name.hasPrefix("index") || name.hasPrefix("next-index"))) {
      // `git stash` and `git commit FILE` work with indexes of their own: index.stash.123.lock, next-index-123.lock.
      self = .lock(name)
    } else {
      return nil
    }
  }

  var isStep: Bool {
    if case .step = self { true } else { false }
  }
}
