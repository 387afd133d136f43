import Store

/// Follows an item whose id is its path, through the names that it had at earlier commits.
///
/// Reads one `git log` of the known names. At a commit that created or renamed the item, that log
/// ends. A new one starts at the remaining commits, with the other names that the item may have
/// there.
struct PathTracker: ItemTracker {
  private let repository: GitRepository
  /// The paths that give this id. A file with one of them is the item at every commit.
  private let own: Set<RelativePath>
  /// The names in the current log. It starts with the path at `HEAD` and those that come before it,
  /// because a file with one of them had the item for as long as it was there.
  private var wanted: Set<RelativePath>
  /// Older names of the item, valid at commits not read yet.
  private var names: Set<RelativePath> = []
  /// The commits that created a file with an older name. Before them the name is another item's.
  private var creations: [RelativePath: [String]] = [:]
  private var tips: [String]
  private var stream: CommitStream?
  /// The effect of the last commit on the search below it: the files that held the item before it, and
  /// the names that no parent has. Applied when the next commit is requested.
  private var pending: (commit: CommitLine, sources: Set<RelativePath>, created: Set<RelativePath>)?
  /// True once a commit had two files with the id: each further commit is checked for which has it.
  private var hasRivals: Bool
  /// Hashes of the ids of returned commits. A later log may contain some of them again.
  private var shown: Set<Int> = []

  init(
    _ id: Item.ID, _ rules: PathRules, _ repository: GitRepository, _ head: GitRevision,
    present: [RelativePath]
  ) throws(GitError) {
    self.repository = repository
    own = PathTracker.paths(of: id).filter(rules.reaches)
    tips = [head.commit]
    let present = own.intersection(present)
    hasRivals = present.count > 1
    if let last = present.max() { wanted = own.filter { $0 <= last } } else { wanted = own }
    if !own.isEmpty { stream = try CommitStream(repository, from: tips, paths: wanted.sorted()) }
  }

  /// Returns all paths that give an id, including ignored ones.
  static func paths(of id: Item.ID) -> Set<RelativePath> {
    Set(TextFormat.allCases.flatMap(\.pathExtensions).compactMap { RelativePath(printed: "\(id).\($0)") })
  }

  mutating func next(_ versions: inout VersionReader) throws(GitError) -> (
    commit: CommitLine, sides: [FileChange?]
  )? {
    try applyPendingStep()
    while let step = try stream?.next() {
      guard shown.insert(step.commit.id.hashValue).inserted else { continue }
      let known = try knownNames(at: step)
      var sides = step.changes.map { PathTracker.side($0, known) }
      try settleRivals(in: &sides, at: step.commit)
      var sources: Set<RelativePath> = []
      for (index, parent) in step.commit.parents.enumerated() {
        guard let side = sides[index], side.old == nil, let path = side.new?.path else { continue }
        guard let source = try source(of: path, at: step.commit, parent) else { continue }
        sides[index] = FileChange(old: source, new: side.new)
        sources.insert(source.path)
      }
      let created = wanted.union(names).filter { name in
        step.changes.allSatisfy { $0.contains { $0.new?.path == name && $0.old == nil } }
      }
      if !created.isEmpty || !sources.isEmpty {
        pending = (step.commit, sources, created)
      }
      return (step.commit, sides)
    }
    return nil
  }

  /// Returns the file that held the item in a parent: another one with the same id, or a renamed one.
  private func source(of path: RelativePath, at commit: CommitLine, _ parent: String) throws(GitError)
    -> TreeEntry?
  {
    let others = try repository.changes(from: parent, to: commit.id, paths: own.sorted())
    if let other = others.first(where: { $0.new == nil })?.old { return other }
    return try repository.renames(from: parent, to: commit.id).first { $0.new?.path == path }?.old
  }

  private static func side(_ changes: [FileChange], _ known: Set<RelativePath>) -> FileChange? {
    let found = changes.filter { $0.path.map(known.contains) == true }
    // If one file was deleted and another added, both hold the same item.
    return found.dropFirst().reduce(found.first) { $0?.joined(with: $1) }
  }

  /// Corrects the sides of a commit in which another file may have the item's id: the file whose path
  /// comes first has it, as in a list.
  private mutating func settleRivals(in sides: inout [FileChange?], at commit: CommitLine) throws(GitError) {
    guard own.count > 1 else { return }
    for (index, parent) in commit.parents.enumerated() {
      guard let side = sides[index], hasRivals || side.old == nil || side.new == nil else { continue }
      let old = try holders(in: parent)
      let new = try holders(in: commit.id)
      hasRivals = hasRivals || old.count > 1 || new.count > 1
      guard old.count > 1 || new.count > 1 else { continue }
      sides[index] = old.first == new.first ? nil : FileChange(old: old.first, new: new.first)
    }
  }

  /// Returns the files with the item's id at a commit, the one that has it first.
  private func holders(in commit: String) throws(GitError) -> [TreeEntry] {
    try repository.files(own.sorted(), in: commit).filter { own.contains($0.path) }.sorted {
      $0.path < $1.path
    }
  }

  private func knownNames(at step: CommitStep) throws(GitError) -> Set<RelativePath> {
    var known = own.union(names)
    for change in step.changes.joined() {
      guard let path = change.path, names.contains(path) else { continue }
      for creation in creations[path] ?? [] where try repository.isAncestor(step.commit.id, of: creation) {
        known.remove(path)
      }
    }
    return known
  }

  private mutating func applyPendingStep() throws(GitError) {
    guard let pending else { return }
    self.pending = nil
    let oldWanted = wanted
    let oldNames = names
    names.formUnion(pending.sources.subtracting(own))
    wanted = own
    let ended = pending.created.subtracting(pending.sources).intersection(names)
    if oldWanted == wanted, oldNames == names, ended.isEmpty { return }
    stream = nil
    // Commits on other branches that were not returned yet.
    let others = try repository.commits(
      from: tips, without: pending.commit.parents, until: pending.commit.seconds
    )
    .filter { $0 != pending.commit.id }
    tips = pending.commit.parents + others
    if others.isEmpty {
      names.subtract(ended)
    } else {
      for name in ended { creations[name, default: []].append(pending.commit.id) }
    }
    stream =
      tips.isEmpty ? nil : try CommitStream(repository, from: tips, paths: wanted.union(names).sorted())
  }
}
