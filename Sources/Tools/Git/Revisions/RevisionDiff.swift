import HashTreeCollections
package import Store

/// The changes of a list between two states of its folder: revisions, the index or the work tree.
/// Checks nothing out.
///
/// Both lists use the settings of the newer side, or of the older side if only that has the folder.
/// A renamed file with similar values keeps its item: the update shows it under its new id, with
/// its path among the changed fields.
///
/// ```swift
/// let diff = try RevisionDiff(of: "contacts", try RevisionRange(["HEAD~1", "HEAD"])) { _ in FetchRequest() }
/// diff.update?.diff.changes
/// ```
package struct RevisionDiff {
  package let from: Side
  package let to: Side
  package let settings: Settings
  package let update: ListUpdate<Item>?
  /// The problems that only the newer side has (raised), or only the older one (cleared).
  package let problems: [ProblemChange]
  /// The parts of the predicate that can match no item, if the list did not change.
  package let hints: [String]
  /// The parts of the predicate in which quotes were probably forgotten, of the items of both sides.
  package let unquotedStrings: [UnquotedString]
  private let lists: (old: ListSnapshot<Item>, new: ListSnapshot<Item>)

  package struct Side: Hashable {
    /// The name for people: `HEAD~1`, `index`, `work tree`.
    package let name: String
    /// The revision, or nil for the index and the work tree.
    package let revision: GitRevision?
    package let hasFolder: Bool

    /// The name inside a sentence: `HEAD~1`, `the index`, `the work tree`.
    package var nameInSentence: String { revision == nil && name != "HEAD" ? "the \(name)" : name }

    /// The side as a map for the stream: `name`, `commit`, `time`.
    package var written: Fields {
      var written: Fields = ["name": .string(name)]
      written["commit"] = (revision?.commit).map(Value.string)
      written["time"] = (revision?.time).map(Value.date)
      return written
    }
  }

  package var event: ListEvent? {
    update == nil && problems.isEmpty ? nil : .step(update: update, problems: problems)
  }

  /// Compares two states of a folder, which may no longer exist. Throws `GitError`, `StoreError` for
  /// the work tree, and the errors of `resolve`.
  package init(
    of folder: String, _ range: RevisionRange, options: StoreOptions = StoreOptions(),
    resolve: RequestResolver
  ) throws {
    let repository = try GitRepository(holding: folder)
    var reader = RevisionReader(repository, limits: options.limits)
    let old = try RevisionSource(range.from, folder, repository, &reader, options)
    let new = try RevisionSource(range.to, folder, repository, &reader, options)
    from = old.side
    to = new.side
    guard from.hasFolder || to.hasFolder else {
      throw GitError(
        .noRepository,
        "There is no folder `\(folder)`, neither in \(from.nameInSentence) nor in \(to.nameInSentence).")
    }
    settings = try (to.hasFolder ? new : old).settings(reader)
    let request = try resolve(settings)
    // The time of files in the index and the work tree. With the other side's time, a file that
    // both have is not newer on one of them.
    let moment = new.moment ?? old.moment ?? 0
    var before = try old.state(&reader, settings, options, old.moment ?? moment)
    var after = try new.state(&reader, settings, options, moment)
    let submodules = old.submodules.union(new.submodules)
    before.removeItems(below: submodules)
    after.removeItems(below: submodules)
    // A list of a commit equals the list of its checkout. In the work tree a file may be broken for
    // a moment because it is being edited.
    after.keepUnreadable(of: before, all: to.revision == nil)
    before.keepUnreadable(of: after, all: false)
    before.adoptEqualItems(of: after)
    if (options.idFields ?? settings.idFields).isEmpty {
      before.rename(RenamedItems(from: before, to: after).names)
    }
    let context = PredicateContext.now
    lists = (
      ListSnapshot<Item>(of: before, request: request, context: context),
      ListSnapshot<Item>(of: after, request: request, context: context)
    )
    update = RevisionDiff.update(from: (before, lists.old), to: (after, lists.new))
    problems = RevisionDiff.problems(from: before, to: after)
    let items = [before.items, after.items].lazy.flatMap { $0.lazy.map(\.value) }
    unquotedStrings = request.unquotedStrings(in: items)
    hints = update == nil && request.predicate != nil ? lists.new.predicateHints : []
  }

  /// The requested fields that no item has on either side, without words that are probably strings.
  package func unknownFields() -> [FieldPath] {
    let old = Set(lists.old.unknownFields()).subtracting(unquotedStrings.flatMap(\.fields))
    return lists.new.unknownFields().filter(old.contains)
  }

  package func nearestField(to path: FieldPath) -> FieldPath? { lists.new.nearestField(to: path) }

  private typealias ListedState = (state: StoreState, list: ListSnapshot<Item>)

  private static func update(from old: ListedState, to new: ListedState) -> ListUpdate<Item>? {
    let before = old.state
    let after = new.state
    var touched = Set(before.items.keys.filter { before.items[$0] !== after.items[$0] })
    touched.formUnion(after.items.keys.filter { before.items[$0] == nil })
    let edited = touched
    // Items that cross the edges of a window are inserted or deleted without being changed.
    if new.list.request.hasWindow {
      touched.formUnion(Set(old.list.list.itemIdentifiers).symmetricDifference(new.list.list.itemIdentifiers))
    }
    let update = ListUpdate<Item>(
      from: old.list, to: new.list, touched: touched, edited: edited, origin: .git)
    return update.diff.isEmpty ? nil : update
  }

  private static func problems(from before: StoreState, to after: StoreState) -> [ProblemChange] {
    let paths = Set(before.problems.keys).union(after.problems.keys)
    return paths.sorted().compactMap { path in
      let old = before.problems[path]
      let new = after.problems[path]
      if old == new { return nil }
      return new.map(ProblemChange.raised) ?? old.map(ProblemChange.cleared)
    }
  }
}

private struct RevisionSource {
  let side: RevisionDiff.Side
  /// For the work tree, the entries of the index; nil if there is no such folder.
  private var entries: [TreeEntry]?
  private var workTree: WorkTree?

  init(
    _ side: RevisionRange.Endpoint, _ folder: String, _ repository: GitRepository,
    _ reader: inout RevisionReader, _ options: StoreOptions
  ) throws {
    var name = "HEAD"
    var revision: GitRevision?
    switch side {
    case .head: revision = try repository.head()
    case .revision(let word): (name, revision) = (word, try repository.revision(word))
    case .mergeBase(let first, let second):
      let base = try repository.mergeBase(repository.revision(first), repository.revision(second))
      name = base.commit.prefix(12).description
      revision = base
    case .index, .workTree:
      guard repository.hasWorkTree else {
        throw GitError(.usage, "The repository of \(folder) has no work tree. Give two revisions.")
      }
      name = side == .index ? "index" : "work tree"
      entries = side == .index ? try repository.stagedEntries() : try repository.indexEntries()
    }
    if let revision { entries = try repository.entries(in: revision) }
    let isThere = repository.missing.isEmpty
    if side == .workTree, isThere || entries?.contains(where: \.isSkipped) == true {
      workTree = try WorkTree(folder, isThere: isThere, entries ?? [], repository, &reader, options)
    }
    let hasFolder = side == .workTree ? workTree != nil : entries != nil
    self.side = .init(name: name, revision: revision, hasFolder: hasFolder)
  }

  /// The commit time in seconds since 1970, or nil for the index and the work tree.
  var moment: Int64? { side.revision?.seconds }

  var submodules: Set<RelativePath> { Set((entries ?? []).filter { $0.kind == .submodule }.map(\.path)) }

  func settings(_ reader: RevisionReader) throws -> Settings {
    if let workTree { return workTree.settings }
    return try reader.settings(in: entries ?? [])
  }

  func state(_ reader: inout RevisionReader, _ settings: Settings, _ options: StoreOptions, _ seconds: Int64)
    throws -> StoreState
  {
    let entries = side.hasFolder ? entries ?? [] : []
    let rules = PathRules(ignore: settings.ignore)
    let moment = FileTime(seconds: seconds, nanoseconds: 0)
    let findings = try workTree?.findings ?? reader.findings(in: entries, rules: rules, at: moment)
    return StoreState(findings, settings: settings, idFields: options.idFields)
  }
}

extension StoreState {
  /// Removes the items in submodules: a revision of this repository does not contain their files.
  fileprivate mutating func removeItems(below folders: Set<RelativePath>) {
    if folders.isEmpty { return }
    items = items.filter { item in !folders.contains { item.value.path.isBelow($0) } }
    problems = problems.filter { problem in !folders.contains { problem.key.isBelow($0) } }
  }

  /// Replaces items by the other state's equal ones, with their times: git stores no file times.
  fileprivate mutating func adoptEqualItems(of other: StoreState) {
    for (id, item) in items {
      guard let twin = other.items[id], twin.path == item.path, twin.stamp.size == item.stamp.size,
        twin.fields == item.fields
      else {
        continue
      }
      items[id] = twin
    }
  }

  /// Renames the keys of items. The items keep their own ids and paths, which decide their order.
  fileprivate mutating func rename(_ names: [Item.ID: Item.ID]) {
    for (old, new) in names {
      items[new] = items[old]
      items[old] = nil
    }
  }
}

/// The items of a folder, with git's view of the work tree: checked-out files, files that are only
/// in the index (skip-worktree), and new files that are not ignored.
private struct WorkTree {
  let settings: Settings
  let findings: [(path: RelativePath, finding: FileFinding)]

  init(
    _ folder: String, isThere: Bool, _ entries: [TreeEntry], _ repository: GitRepository,
    _ reader: inout RevisionReader,
    _ options: StoreOptions
  ) throws {
    // A sparse checkout omits these files, or `git update-index --skip-worktree` hides them. For
    // git they equal the index.
    let skipped = entries.filter(\.isSkipped)
    let own =
      isThere && !skipped.contains { $0.path == PathRules.settingsPath }
      ? nil : try reader.settings(in: skipped)
    let found =
      isThere ? try StoreContents.findings(below: folder, settings: own, options: options.reading) : nil
    settings = found?.settings ?? own ?? Settings()
    let others = Set(skipped.map(\.path))
    let submodules = entries.filter { $0.kind == .submodule }.map(\.path)
    let onDisk = (found?.findings ?? []).filter { file in
      !others.contains(file.path) && !submodules.contains { file.path.isBelow($0) || file.path == $0 }
    }
    let ignored = try repository.ignored(among: WorkTree.untracked(onDisk.map(\.path), entries))
    let moment = FileTime(seconds: 0, nanoseconds: 0)
    let fromIndex = try reader.findings(in: skipped, rules: PathRules(ignore: settings.ignore), at: moment)
    findings = onDisk.filter { !ignored.contains($0.path) } + fromIndex
  }

  /// Returns the paths that are not in the index, neither themselves nor a file below them.
  private static func untracked(_ paths: [RelativePath], _ entries: [TreeEntry]) -> [RelativePath] {
    let tracked = Set(entries.map(\.path))
    let candidates = paths.filter { !tracked.contains($0) }
    if candidates.isEmpty { return [] }
    var folders: Set<RelativePath> = []
    for entry in entries {
      var folder = entry.path.parent
      while let current = folder, folders.insert(current).inserted { folder = current.parent }
    }
    return candidates.filter { !folders.contains($0) }
  }
}

extension GitRepository {
  fileprivate func ignored(among paths: [RelativePath]) throws(GitError) -> Set<RelativePath> {
    if paths.isEmpty { return [] }
    // The prefix `./` keeps names from starting with a colon, which is special for this command.
    let dot = Array("./".utf8)
    var git = git
    git.hasLiteralPaths = false
    let found = try git.run(
      ["check-ignore", "--stdin", "-z"], input: Array(paths.map { dot + $0.bytes + [0] }.joined()))
    // The exit code 1 means that no path is ignored.
    guard found.status == 0 || found.status == 1 else { throw found.failure("list the ignored files") }
    return Set(
      found.output.split(separator: 0).map {
        RelativePath(bytes: $0.starts(with: dot) ? $0.dropFirst(2) : $0)
      })
  }
}

extension StoreState {
  /// Adopts the items of another state whose files the system could not read in this one: nothing says
  /// that they were deleted. With `all`, those whose new content is broken, too, as a watcher does.
  mutating func keepUnreadable(of other: StoreState, all: Bool) {
    let unreadable = Set(problems.values.filter { all || $0.isTransient }.map(\.path))
    if unreadable.isEmpty { return }
    let readable = Set(items.values.map(\.path))
    for (id, item) in other.items where items[id] == nil && !readable.contains(item.path) {
      var path: RelativePath? = item.path
      while let current = path, !unreadable.contains(current) { path = current.parent }
      if path != nil { items[id] = item }
    }
  }
}
