import Files
import HashTreeCollections
import PlainStore
import Values

/// The items of a folder, with git's view of the work tree: checked-out files, files that are only
/// in the index (skip-worktree), and new files that are not ignored.
struct WorkTree {
  let settings: Settings
  let findings: [(path: RelativePath, finding: FileFinding)]

  /// Reads the work tree.
  ///
  /// - Parameters:
  ///   - folder: The folder of the data set.
  ///   - isThere: False if nothing of the folder is checked out.
  ///   - entries: The files of the folder in the index.
  ///   - repository: The repository of the folder.
  ///   - reader: Reads the files that are only in the index.
  ///   - options: The limits and the id fields.
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
  /// Returns the untracked paths that `.gitignore` or another of git's exclude files names.
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
  /// Adopts the items of another state whose files cannot be read in this one: nothing says that
  /// they were deleted.
  ///
  /// - Parameters:
  ///   - other: The state to take items from.
  ///   - all: True to keep items whose new content is broken, too, as a watcher does. False to keep
  ///     only those whose file the system could not read.
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
