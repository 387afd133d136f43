/// What is heard of a repository's own folder.
enum GitEvent: Sendable {
  case appeared(GitSign)
  /// `isUsed`: whether a lock was renamed to what it was for, or dropped.
  case disappeared(GitSign, isUsed: Bool)
  /// HEAD was replaced.
  case switched
  /// ORIG_HEAD was replaced: HEAD is about to move, and not for a checkout.
  case leftOriginal
  /// Something else happened there, where only git writes.
  case heard
  /// What is there when the watch begins or finds the repository. `isAtWork`: whether it was made just now, with a work tree that git has begun to fill.
  case found(Set<GitSign>, isAtWork: Bool)
  /// What is there after some of it may have gone unheard.
  case missed(nowThere: Set<GitSign>)
  /// The process of git that was seen at work has ended, and no other is.
  case ended
  /// The repository is no more.
  case gone
}
