import DiffableSnapshot
import DirectoryWatch
import HashTreeCollections
import LinuxFiles
package import PlainStore
package import PlainText

/// What happened to a list between two states of its folder: revisions, the index, the work tree. Nothing is checked out.
///
/// Both lists are made by the settings of the newer side (of the older where the newer has no such folder). A file that has another name, and by and
/// large the same values, keeps its item: in the update it stands under its new id, with its old path among what changed.
///
/// ```swift
/// let diff = try await RevisionDiff(of: "contacts", try RevisionRange(["HEAD~1", "HEAD"])) { _ in FetchRequest() }
/// diff.update?.diff.changes
/// ```
package struct RevisionDiff: Sendable {
  package let from: Side
  package let to: Side
  /// Those by which both lists are made.
  package let settings: Settings
  /// Nil where the list is the same.
  package let update: ResultsUpdate?
  /// The problems of files that only the newer side has, and those that only the older one has.
  package let problems: [ProblemChange]
  /// If the view shows nothing: what in its predicate can match no item.
  package let hints: [String]

  package struct Side: Sendable, Hashable {
    /// `HEAD~1`, `index`, `work tree`.
    package let name: String
    /// Nil where it is no commit.
    package let revision: GitRevision?
    /// Whether the folder is there.
    package let hasFolder: Bool

    /// As a stream says it.
    package var written: Fields {
      var written: Fields = ["name": .string(name)]
      written["commit"] = (revision?.commit).map(Value.string)
      written["time"] = (revision?.time).map(Value.date)
      return written
    }
  }

  /// Nil where nothing is different.
  package var event: ResultsEvent? { update == nil && problems.isEmpty ? nil : .step(update: update, problems: problems) }

  /// - Throws: `GitError`, `StoreError` of the work tree, and what `resolve` throws.
  package init(of folder: String, _ range: RevisionRange, options: StoreOptions = StoreOptions(), resolve: RequestResolver) async throws {
    let repository = try await GitRepository(holding: folder)
    var reader = RevisionReader(repository, limits: options.limits)
    let old = try await Source(range.from, folder, repository, &reader, options)
    let new = try await Source(range.to, folder, repository, &reader, options)
    (from, to) = (old.side, new.side)
    guard from.hasFolder || to.hasFolder else {
      throw GitError(.noRepository, "There is no folder \(folder): neither in \(from.name) nor in \(to.name).")
    }
    settings = try (to.hasFolder ? new : old).settings(reader)
    let request = try resolve(settings)
    // A moment for what has none of its own: nothing that is in both is older on one side.
    let moment = new.moment ?? old.moment ?? 0
    var before = try await old.state(&reader, settings, options, old.moment ?? moment)
    var after = try await new.state(&reader, settings, options, moment)
    let submodules = old.submodules.union(new.submodules)
    before.leaveOut(submodules)
    after.leaveOut(submodules)
    // A commit's list is that of its checkout; a file that somebody is working on may be broken for a moment.
    after.keepUnreadable(of: before, all: to.revision == nil)
    before.keepUnreadable(of: after, all: false)
    before.takeOverEqualItems(of: after)
    if (options.idFields ?? settings.idFields).isEmpty { before.rename(RenamedItems(from: before, to: after).names) }
    update = RevisionDiff.update(from: before, to: after, request)
    problems = RevisionDiff.problems(from: before, to: after)
    hints = update == nil && request.predicate != nil ? ResultsSnapshot(of: after, request: request).predicateHints : []
  }

  private static func update(from before: StoreState, to after: StoreState, _ request: FetchRequest) -> ResultsUpdate? {
    let context = PredicateContext.now
    let old = ResultsSnapshot(of: before, request: request, context: context)
    let new = ResultsSnapshot(of: after, request: request, context: context)
    var touched = Set(before.items.keys.filter { before.items[$0] !== after.items[$0] })
    touched.formUnion(after.items.keys.filter { before.items[$0] == nil })
    let edited = touched
    // What crosses the edges of a window comes and goes without having changed.
    if request.hasWindow { touched.formUnion(Set(old.list.itemIdentifiers).symmetricDifference(new.list.itemIdentifiers)) }
    let update = ResultsUpdate(from: old, to: new, touched: touched, edited: edited, origin: .git)
    return update.diff.isEmpty ? nil : update
  }

  private static func problems(from before: StoreState, to after: StoreState) -> [ProblemChange] {
    let paths = Set(before.problems.keys).union(after.problems.keys)
    return paths.sorted().compactMap { path in
      let (was, now) = (before.problems[path], after.problems[path])
      if was == now { return nil }
      return now.map(ProblemChange.raised) ?? was.map(ProblemChange.cleared)
    }
  }
}

/// Where the items of one side come from.
private struct Source {
  let side: RevisionDiff.Side
  /// What git has there; nil where that is no folder. Of the work tree, what the index has.
  private var entries: [TreeEntry]?
  private var workTree: WorkTree?

  init(
    _ side: RevisionRange.Side, _ folder: String, _ repository: GitRepository, _ reader: inout RevisionReader, _ options: StoreOptions
  ) async throws {
    switch side {
    case .head:
      let head = try await repository.head()
      entries = if let head { try await repository.entries(in: head) } else { nil }
      self.side = .init(name: "HEAD", revision: head, hasFolder: entries != nil)
    case .revision(let name):
      let revision = try await repository.revision(name)
      entries = try await repository.entries(in: revision)
      self.side = .init(name: name, revision: revision, hasFolder: entries != nil)
    case .mergeBase(let first, let second):
      let base = try await repository.mergeBase(repository.revision(first), repository.revision(second))
      entries = try await repository.entries(in: base)
      self.side = .init(name: base.commit.prefix(12).description, revision: base, hasFolder: entries != nil)
    case .index:
      try Source.checkWorkTree(repository, folder)
      entries = try await repository.stagedEntries()
      self.side = .init(name: "index", revision: nil, hasFolder: entries != nil)
    case .workTree:
      try Source.checkWorkTree(repository, folder)
      entries = try await repository.indexEntries()
      let isThere = repository.missing.isEmpty
      if isThere || entries?.contains(where: \.isSkipped) == true {
        workTree = try WorkTree(folder, isThere: isThere, entries ?? [], repository, &reader, options)
      }
      self.side = .init(name: "work tree", revision: nil, hasFolder: workTree != nil)
    }
  }

  private static func checkWorkTree(_ repository: GitRepository, _ folder: String) throws(GitError) {
    if !repository.hasWorkTree { throw GitError(.usage, "The repository of \(folder) has no work tree; name two revisions.") }
  }

  /// In seconds since 1970; nil for what has no time of its own.
  var moment: Int64? { side.revision?.seconds }

  var submodules: Set<RelativePath> { Set((entries ?? []).filter { $0.kind == .submodule }.map(\.path)) }

  func settings(_ reader: RevisionReader) throws -> Settings {
    if let workTree { return workTree.settings }
    return try reader.settings(in: entries ?? [])
  }

  func state(_ reader: inout RevisionReader, _ settings: Settings, _ options: StoreOptions, _ seconds: Int64) async throws -> StoreState {
    if let workTree { return StoreState(workTree.findings, settings: settings, idFields: options.idFields) }
    guard side.hasFolder else { return StoreState([], settings: settings, idFields: options.idFields) }
    let moment = FileTime(seconds: seconds, nanoseconds: 0)
    let findings = try reader.findings(in: entries ?? [], rules: PathRules(ignore: settings.ignore), at: moment)
    return StoreState(findings, settings: settings, idFields: options.idFields)
  }
}

extension StoreState {
  /// A submodule is a repository of its own: of its files a revision says nothing.
  fileprivate mutating func leaveOut(_ folders: Set<RelativePath>) {
    if folders.isEmpty { return }
    items = items.filter { item in !folders.contains { item.value.path.isBelow($0) } }
    problems = problems.filter { problem in !folders.contains { problem.key.isBelow($0) } }
  }

  /// An item whose file is the same is the very same item, times included: a revision knows none.
  fileprivate mutating func takeOverEqualItems(of other: StoreState) {
    for (id, item) in items {
      guard let twin = other.items[id], twin.path == item.path, twin.stamp.size == item.stamp.size, twin.fields == item.fields else {
        continue
      }
      items[id] = twin
    }
  }

  /// Files the items under other ids. They keep the ids and paths that they have, which decide where they stand.
  fileprivate mutating func rename(_ names: [Item.ID: Item.ID]) {
    for (old, new) in names {
      items[new] = items[old]
      items[old] = nil
    }
  }
}
