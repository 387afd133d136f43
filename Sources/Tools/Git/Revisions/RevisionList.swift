public import Store

/// The list of a folder as it was in a commit, read from git's objects.
public enum RevisionList {
  /// Makes the list that a request shows of a folder in a commit, with the settings of that commit.
  ///
  /// - Parameter commit: The id of the commit.
  /// - Throws: `GitError`, and the errors of `resolve`.
  public static func list(
    of folder: String, at commit: String, options: StoreOptions = StoreOptions(), resolve: RequestResolver
  ) async throws -> ResultsSnapshot {
    let repository = try GitRepository(holding: folder)
    let revision = try repository.revision(commit)
    let entries = try repository.entries(in: revision) ?? []
    var reader = RevisionReader(repository, limits: options.limits)
    let settings = try reader.settings(in: entries)
    let moment = FileTime(seconds: revision.seconds, nanoseconds: 0)
    let findings = try reader.findings(in: entries, rules: PathRules(ignore: settings.ignore), at: moment)
    let state = StoreState(findings, settings: settings, idFields: options.idFields)
    return ResultsSnapshot(of: state, request: try resolve(settings))
  }
}
