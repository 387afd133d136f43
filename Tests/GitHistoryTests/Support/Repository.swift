import DiffableSnapshot
import GitHistory
import PlainStore
import TestSupport

/// A temporary repository, made with the installed git.
struct Repository {
  let folder: TemporaryFolder

  var path: String { folder.path }

  /// Makes a repository. If there are files, commits them as `first`.
  init(_ files: KeyValuePairs<String, String> = [:]) throws {
    folder = try TemporaryFolder(files)
    try folder.shell("git init -q -b main .")
    if !files.isEmpty { try commit("first") }
  }

  func commit(_ subject: String, time: Int = 1_700_000_000) throws {
    try folder.shell(
      "git add -A; GIT_AUTHOR_DATE='\(time) +0000' GIT_COMMITTER_DATE='\(time) +0000' git commit -q --allow-empty -m '\(subject)'")
  }

  func diff(_ words: String..., staged isStaged: Bool = false, in name: String = "", view: ViewDefinition? = nil)
    async throws -> RevisionDiff
  {
    let range = try RevisionRange(words, isStaged: isStaged)
    let folder = name.isEmpty ? path : "\(path)/\(name)"
    let request = (view ?? ViewDefinition()).request
    return try await RevisionDiff(of: folder, range) { _ in request }
  }
}

extension RevisionDiff {
  /// The changes in short: `- bob`, `+ cleo`, `~ ada /name`.
  var summary: [String] {
    (update?.diff.changes ?? []).map { change in
      let id = change.item
      switch change {
      case .delete: return "- \(id)"
      case .insert: return "+ \(id)"
      case .move(_, _, _, isUpdated: false): return "→ \(id)"
      case .move: return "→ \(id) \(fields(of: id))"
      case .update: return "~ \(id) \(fields(of: id))"
      }
    }
  }

  private func fields(of id: Item.ID) -> String { update?.fieldChanges(of: id)?.pointers.joined(separator: " ") ?? "" }
}
