import DiffableSnapshot
import Git
import Store
import TestSupport
import Streams

extension Repository {
  /// Compares two revisions of the list of a folder.
  ///
  /// - Parameters:
  ///   - words: The revisions, as on the command line.
  ///   - name: The folder below the repository's root.
  func diff(
    _ words: String..., staged isStaged: Bool = false, in name: String = "", view: ViewDefinition? = nil
  )
    async throws -> RevisionDiff
  {
    let range = try RevisionRange(words, isStaged: isStaged)
    let folder = name.isEmpty ? path : "\(path)/\(name)"
    let request = (view ?? ViewDefinition()).request
    return try RevisionDiff(of: folder, range) { _ in request }
  }
}

extension RevisionDiff {
  /// The changes as short lines: `- bob`, `+ cleo`, `~ ada /name`.
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

  private func fields(of id: Item.ID) -> String {
    update?.fieldChanges(of: id)?.pointers.joined(separator: " ") ?? ""
  }
}
