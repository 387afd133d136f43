import Store

/// Finds an item whose id comes from fields, in whichever file it is.
///
/// Reads each version of each changed file until enough commits were found. In a merge, git names
/// only the files that differ from all parents. So a merge is missed if all it does is delete an
/// item that its parents have in different files.
struct FieldTracker: ItemTracker {
  private let id: Item.ID
  private let repository: GitRepository
  private let stream: CommitStream
  private var verdicts: [TreeEntry: Verdict] = [:]
  /// True once a commit had two files with the id: each further commit is checked for which has it.
  private var hasRivals = false

  private enum Verdict {
    case isItem
    case isOther
    case isBroken
  }

  private static let maxVerdicts = 1 << 15

  init(_ id: Item.ID, _ repository: GitRepository, _ head: String) throws(GitError) {
    self.id = id
    self.repository = repository
    stream = try CommitStream(repository, from: [head], paths: [])
  }

  mutating func next(_ versions: inout VersionReader) throws(GitError) -> (
    commit: CommitLine, sides: [FileChange?]
  )? {
    while let step = try stream.next() {
      var sides: [FileChange?] = []
      for (index, changes) in step.changes.enumerated() {
        var side = try self.side(changes, &versions)
        // For a merge, git names only the files that differ from all parents. One parent may have
        // the item in another file.
        if step.changes.count > 1, let found = side, found.old == nil || found.new == nil {
          side = try self.side(
            repository.changes(from: step.commit.parents[index], to: step.commit.id), &versions)
        }
        if let found = side, hasRivals || found.old == nil || found.new == nil,
          index < step.commit.parents.count
        {
          side = try settleRival(of: found, at: step.commit, &versions)
        }
        sides.append(side)
      }
      if sides.contains(where: { $0 != nil }) { return (step.commit, sides) }
    }
    return nil
  }

  private mutating func side(_ changes: [FileChange], _ versions: inout VersionReader) throws(GitError)
    -> FileChange?
  {
    let old = try first(of: changes.compactMap(\.old), &versions)
    let new = try first(of: changes.compactMap(\.new), &versions)
    guard old != nil || new != nil else { return nil }
    // The file that held the item may be broken now.
    var broken: TreeEntry?
    if new == nil, let version = changes.first(where: { $0.old == old })?.new,
      try verdict(on: version, &versions) == .isBroken
    {
      broken = version
    }
    return FileChange(old: old, new: new ?? broken)
  }

  /// Corrects a change if another file has the same id all the time: the file whose path comes first
  /// has the id, as in a list. Reads all files of the commit.
  private mutating func settleRival(
    of side: FileChange, at commit: CommitLine, _ versions: inout VersionReader
  ) throws(GitError) -> FileChange? {
    let others = try repository.files(in: commit.id).filter { $0.path != side.path }
    guard let path = side.path, let rival = try first(of: others, &versions) else { return side }
    hasRivals = true
    return rival.path < path ? nil : side.joined(with: FileChange(old: rival, new: rival))
  }

  private mutating func first(of candidates: [TreeEntry], _ versions: inout VersionReader) throws(GitError)
    -> TreeEntry?
  {
    var found: TreeEntry?
    for version in candidates where try verdict(on: version, &versions) == .isItem {
      if found.map({ version.path < $0.path }) ?? true { found = version }
    }
    return found
  }

  private mutating func verdict(on version: TreeEntry, _ versions: inout VersionReader) throws(GitError)
    -> Verdict
  {
    if let known = verdicts[version] { return known }
    let verdict: Verdict =
      switch try versions.items(of: [version])[version] {
      case .success(let item): item.id == id ? .isItem : .isOther
      case .failure: .isBroken
      case nil: .isOther
      }
    if verdicts.count >= FieldTracker.maxVerdicts { verdicts.removeAll(keepingCapacity: true) }
    verdicts[version] = verdict
    return verdict
  }
}
