/// A new git repository for one test, made with the installed git.
package struct Repository {
  package let folder: TemporaryFolder

  package var path: String { folder.path }

  /// Creates the repository. Files that are given are committed with the subject `first`.
  package init(_ files: [String: String] = [:]) throws {
    folder = try TemporaryFolder(files)
    try folder.shell("git init -q -b main .")
    if !files.isEmpty { try commit("first") }
  }

  /// Commits everything that is in the folder.
  ///
  /// - Parameter time: seconds since 1970, for the author and the committer.
  package func commit(_ subject: String, time: Int = 1_700_000_000) throws {
    try folder.shell(
      "git add -A; GIT_AUTHOR_DATE='\(time) +0000' GIT_COMMITTER_DATE='\(time) +0000' git commit -q --allow-empty -m '\(subject)'"
    )
  }
}
