import DirectoryWatch
import PlainStore
import PlainText

/// What happened to one item, commit by commit, the newest first.
///
/// Where an item is known by its path, it is followed through renames as git finds them, on every line of history by itself; where fields make
/// the id, whichever file has it is the item. A merge is told only of what is in none of the sides that it joins.
package struct ItemHistory: Sendable {
  package let entries: [Entry]

  package struct Entry: Sendable {
    package let commit: CommitLine
    /// Nil where it came with this commit, or could not be read before it.
    package let old: Item?
    /// Nil where it went with this commit, or could not be read from there on.
    package let new: Item?
    /// What is wrong with the file.
    package let problem: Problem?
    /// The fields that changed; none where it came or went.
    package let changes: FieldChanges?
  }

  /// - Parameters:
  ///   - id: of an item that is there at `HEAD` or was once.
  ///   - fields: those that are looked at; all of them where it is empty.
  package init(of id: Item.ID, in folder: String, showing fields: [FieldPath] = [], options: StoreOptions = StoreOptions())
    async throws(GitError)
  {
    let repository = try await GitRepository(holding: folder)
    guard let head = try await repository.head() else { throw GitError(.noRepository, "The repository of \(folder) has no commits yet.") }
    var reader = RevisionReader(repository, limits: options.limits)
    let settings = try await reader.settings(in: repository.entries(in: head) ?? [])
    let commits = try await repository.commits(from: head)
    let steps = try await CommitStep.steps(of: commits, in: repository)
    let idFields = options.idFields ?? settings.idFields
    var tracker: any ItemTracker
    if idFields.isEmpty {
      tracker = PathTracker(id, PathRules(ignore: settings.ignore))
    } else {
      let versions = FileChange.versions(in: steps.flatMap { $0.changes.joined() })
      tracker = FieldTracker(id, try await reader.items(of: versions, idFields: idFields))
    }
    let found = steps.map { step in (commit: step.commit, sides: step.changes.indices.map { tracker.sides(of: step, parent: $0) }) }
    let versions = FileChange.versions(in: found.flatMap { $0.sides.compactMap { $0 } })
    let items = try await reader.items(of: versions, idFields: idFields)
    entries = found.compactMap { Entry($0.commit, $0.sides, items, fields) }
  }
}

extension ItemHistory.Entry {
  /// Nil where nothing is to be told.
  fileprivate init?(_ commit: CommitLine, _ sides: [FileChange?], _ items: [FileVersion: Result<Item, Problem>], _ fields: [FieldPath]) {
    // A merge that took the item as it is on one side did nothing to it.
    guard let first = sides.first ?? nil, sides.allSatisfy({ $0 != nil }) else { return nil }
    func item(_ version: FileVersion?) -> Item? { version.flatMap { try? items[$0]?.get() } }
    self.commit = commit
    (old, new) = (item(first.old), item(first.new))
    var problem: Problem?
    if let version = first.new, case .failure(let found)? = items[version] { problem = found }
    self.problem = problem
    guard let old, let new else {
      changes = nil
      if old == nil && new == nil && problem == nil { return nil }
      return
    }
    let all = sides.map { side in item(side?.old).map { $0.changes(to: new, showing: fields) } }
    let common = all.dropFirst().reduce(Set(all.first??.pointers ?? [])) { $0.intersection($1?.pointers ?? []) }
    let changes = old.changes(to: new, showing: fields).keeping(common)
    if changes.isEmpty { return nil }
    self.changes = changes
  }
}

/// A commit, and what it did to files: for each of its parents, or against nothing.
struct CommitStep: Sendable {
  let commit: CommitLine
  let changes: [[FileChange]]

  static func steps(of commits: [CommitLine], in repository: GitRepository) async throws(GitError) -> [CommitStep] {
    let trees = Dictionary(commits.map { ($0.id, $0.tree) }) { first, _ in first }
    let empty = try await repository.emptyTree()
    var pairs: [(old: String, new: String)] = []
    for commit in commits {
      pairs += commit.parents.isEmpty ? [(empty, commit.tree)] : commit.parents.map { (trees[$0] ?? empty, commit.tree) }
    }
    var rest = try await repository.changes(between: pairs)[...]
    return commits.map { commit in
      let count = max(commit.parents.count, 1)
      defer { rest = rest.dropFirst(count) }
      return CommitStep(commit: commit, changes: Array(rest.prefix(count)))
    }
  }
}
