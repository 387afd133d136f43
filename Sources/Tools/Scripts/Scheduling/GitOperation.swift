import Watch

/// A git operation of several steps. Between its steps, the work tree is in an intermediate state.
package enum GitOperation: String, CaseIterable {
  case rebase = "rebase-merge"
  /// `git rebase --apply` or `git am`.
  case apply = "rebase-apply"
  case merge = "MERGE_HEAD"
  case cherryPick = "CHERRY_PICK_HEAD"
  case revert = "REVERT_HEAD"
  case bisect = "BISECT_LOG"

  /// Returns the operation in progress in the work tree that contains `folder`, an absolute path without
  /// links. Costs a few system calls; git is not run.
  package static func inProgress(above folder: String) -> GitOperation? {
    guard let repository = GitFolder.find(above: folder) else { return nil }
    return allCases.first { repository.holds($0.rawValue) }
  }
}

extension GitOperation: CustomStringConvertible {
  package var description: String {
    switch self {
    case .rebase, .apply: "rebase"
    case .merge: "merge"
    case .cherryPick: "cherry-pick"
    case .revert: "revert"
    case .bisect: "bisect"
    }
  }
}
