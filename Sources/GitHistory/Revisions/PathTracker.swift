import DirectoryWatch
import PlainStore
import PlainText

/// Follows an item that is known by its path, under whatever name it had at a commit.
///
/// One `git log` of the names that are known is read. Where the item began, or got its name from another file, a new one begins at the commits that
/// are left, with the other names that the item may have there.
struct PathTracker: ItemTracker {
  private let repository: GitRepository
  /// The paths that make the id. A file that has one is the item at every commit.
  private let own: Set<RelativePath>
  /// Those that are looked for: at first only the one that is there now, which is all that most items ever had, and far faster.
  private var wanted: Set<RelativePath>
  /// Older names that the item has at commits that are still to come.
  private var names: Set<RelativePath> = []
  /// Commits that made a file with an older name out of nothing: below them that name is another item's.
  private var beginnings: [RelativePath: [String]] = [:]
  private var tips: [String]
  /// Nil where no commits are left.
  private var stream: CommitStream?
  /// What the last commit means for those below it. Put off until one of them is asked for.
  private var turn: Turn?
  /// Hashes of the commits that were handed out. A stream that begins later may have some again.
  private var shown: Set<Int> = []

  private struct Turn {
    let commit: CommitLine
    /// Files that the item was before.
    let sources: Set<RelativePath>
    /// Names that no parent has.
    let begun: Set<RelativePath>
  }

  /// - Parameter present: those of the id's paths that are files at `head`.
  init(
    _ id: Item.ID, _ rules: PathRules, _ repository: GitRepository, _ head: GitRevision, present: [RelativePath]
  ) throws(GitError) {
    self.repository = repository
    own = PathTracker.paths(of: id).filter(rules.reaches)
    tips = [head.commit]
    let present = own.intersection(present)
    wanted = present.isEmpty ? own : present
    if !own.isEmpty { stream = try CommitStream(repository, from: tips, paths: wanted.sorted()) }
  }

  /// The paths that make an id, ignored ones among them.
  static func paths(of id: Item.ID) -> Set<RelativePath> {
    Set(TextFormat.allCases.flatMap(\.pathExtensions).compactMap { RelativePath(printed: "\(id).\($0)") })
  }

  mutating func next(_ versions: inout VersionReader) throws(GitError) -> (commit: CommitLine, sides: [FileChange?])? {
    try goOn()
    while let step = try stream?.next() {
      guard shown.insert(step.commit.id.hashValue).inserted else { continue }
      let known = try knownNames(at: step)
      var sides = step.changes.map { PathTracker.side($0, known) }
      var sources: Set<RelativePath> = []
      for (index, parent) in step.commit.parents.enumerated() {
        guard let side = sides[index], side.old == nil, let path = side.new?.path else { continue }
        guard let source = try source(of: path, at: step.commit, parent) else { continue }
        sides[index] = FileChange(old: source, new: side.new)
        sources.insert(source.path)
      }
      let begun = wanted.union(names).filter { name in
        step.changes.allSatisfy { $0.contains { $0.new?.path == name && $0.old == nil } }
      }
      if !begun.isEmpty || !sources.isEmpty { turn = Turn(commit: step.commit, sources: sources, begun: begun) }
      return (step.commit, sides)
    }
    return nil
  }

  /// The file that the item was in a parent: another that makes the same id, or one that was renamed.
  private func source(of path: RelativePath, at commit: CommitLine, _ parent: String) throws(GitError) -> FileVersion? {
    let others = try repository.changes(from: parent, to: commit.id, paths: own.sorted())
    if let other = others.first(where: { $0.new == nil })?.old { return other }
    return try repository.renames(from: parent, to: commit.id).first { $0.new?.path == path }?.old
  }

  /// What a commit did to the item, against one parent.
  private static func side(_ changes: [FileChange], _ known: Set<RelativePath>) -> FileChange? {
    let found = changes.filter { $0.path.map(known.contains) == true }
    // One file went and another came, both of the same item.
    return found.dropFirst().reduce(found.first) { $0?.joined(with: $1) }
  }

  private func knownNames(at step: CommitStep) throws(GitError) -> Set<RelativePath> {
    var known = own.union(names)
    for change in step.changes.joined() {
      guard let path = change.path, names.contains(path) else { continue }
      for beginning in beginnings[path] ?? [] where try repository.isAncestor(step.commit.id, of: beginning) { known.remove(path) }
    }
    return known
  }

  private mutating func goOn() throws(GitError) {
    guard let turn else { return }
    self.turn = nil
    let (oldWanted, oldNames) = (wanted, names)
    names.formUnion(turn.sources.subtracting(own))
    wanted = own
    let ended = turn.begun.subtracting(turn.sources).intersection(names)
    if oldWanted == wanted, oldNames == names, ended.isEmpty { return }
    stream = nil
    // Commits on other lines of history, which were not handed out yet.
    let others = try repository.commits(from: tips, without: turn.commit.parents, until: turn.commit.seconds)
      .filter { $0 != turn.commit.id }
    tips = turn.commit.parents + others
    if others.isEmpty {
      names.subtract(ended)
    } else {
      for name in ended { beginnings[name, default: []].append(turn.commit.id) }
    }
    stream = tips.isEmpty ? nil : try CommitStream(repository, from: tips, paths: wanted.union(names).sorted())
  }
}
