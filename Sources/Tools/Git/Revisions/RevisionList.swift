public import Store

/// The list of a folder as it was in a commit, read from git's objects.
public enum RevisionList {
  /// Makes the list of a folder's items as they were in a commit, with the settings of that commit.
  ///
  /// ```swift
  /// let then = try await RevisionList.list(of: "contacts", at: "v1.0", where: "rating > \(3)", sort: "name")
  /// ```
  ///
  /// - Parameter commit: What git can resolve to a commit, such as its id, a tag or `HEAD~3`.
  /// - Throws: `GitError`, and the errors of `ItemStore.list(in:where:sort:)`.
  public static func list(
    of folder: String, at commit: String, in subfolder: String? = nil, where predicate: ItemPredicate? = nil,
    sort: ItemSortDescriptor..., section: SectionDescriptor? = nil
  ) async throws -> ListSnapshot<Item> {
    let request = try FetchRequest(in: subfolder, where: predicate, sort: sort, section: section)
    return try await list(of: folder, at: commit) { _ in request }
  }

  /// Makes the list that a request shows of a folder in a commit, with the settings of that commit.
  ///
  /// - Throws: `GitError`, and the errors of `resolve`.
  package static func list(
    of folder: String, at commit: String, options: StoreOptions = StoreOptions(), resolve: RequestResolver
  ) async throws -> ListSnapshot<Item> {
    let repository = try GitRepository(holding: folder)
    let revision = try repository.revision(commit)
    let entries = try repository.entries(in: revision) ?? []
    var reader = RevisionReader(repository, limits: options.limits)
    let settings = try reader.settings(in: entries)
    let moment = FileTime(seconds: revision.seconds, nanoseconds: 0)
    let findings = try reader.findings(in: entries, rules: PathRules(ignore: settings.ignore), at: moment)
    let state = StoreState(findings, settings: settings, idFields: options.idFields)
    return ListSnapshot<Item>(of: state, request: try resolve(settings))
  }
}
