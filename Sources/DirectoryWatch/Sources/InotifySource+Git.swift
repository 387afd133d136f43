import Glibc

/// The repositories whose work trees the root is in or holds, each of which has signs of its own.
extension InotifySource {
  private static let gitKinds: InotifyEvent.Kinds = [.created, .deleted, .movedFrom, .movedTo, .onlyDirectories]

  /// A repository as it is watched.
  struct Repository {
    let folder: GitFolder
    let watch: Int32
    /// A `.git` without a HEAD is watched for one.
    let isComplete: Bool
  }

  /// Finds the repository of a work tree, and watches its folder for signs of a running command. `isNew`: whether its `.git` came just now.
  func findGit(_ tree: RelativePath, isNew: Bool = false, _ settler: inout Settler, at now: Instant) throws(WatchError) {
    // It may be git that takes the root away: then it is to be heard to the end.
    if tree == .root, root.resolved == nil { return }
    guard let folder = gitFolder(of: tree), let watch = try addWatch(to: folder) else { return forgetGit(tree, &settler, at: now) }
    let found = Repository(folder: folder, watch: watch, isComplete: folder.isRepository)
    let known = repositories[tree]
    if let known, known.folder == folder, known.watch == watch, known.isComplete == found.isComplete { return }
    if let known, known.watch != watch { removeGitWatch(known.watch, of: tree) }
    repositories[tree] = found
    gitTrees[watch, default: []].insert(tree)
    heardTrees.insert(tree)
    guard found.isComplete else { return }
    if tree != .root { settler.addTree(tree, submoduleOf: superproject(of: tree, folder)) }
    let signs = folder.signs()
    // Where the first checkout began unheard, it has left its lock or the index.
    settler.git(.found(signs, isAtWork: isNew && known?.isComplete != true && folder.hasIndex), in: tree, at: now)
  }

  /// Looks again at all that may have changed.
  func findSuspectGit(_ settler: inout Settler, at now: Instant) throws(WatchError) {
    while let tree = gitSuspects.popFirst() { try findGit(tree, &settler, at: now) }
  }

  /// Those at or below a folder may be gone, or others.
  func suspectGit(at folder: RelativePath) {
    if repositories.isEmpty { return }
    gitSuspects.formUnion(repositories.keys.filter { $0 == folder || $0.isBelow(folder) })
  }

  func handleGit(_ event: InotifyEvent, in tree: RelativePath, _ settler: inout Settler, at now: Instant) throws(WatchError) {
    heardTrees.insert(tree)
    let hasCome = !event.kinds.isDisjoint(with: [.created, .movedTo])
    guard repositories[tree]?.isComplete == true else {
      if hasCome, event.name.elementsEqual("HEAD".utf8) { try findGit(tree, isNew: true, &settler, at: now) }
      return
    }
    let what = gitEvent(event, hasCome: hasCome)
    if case .appeared(.steps) = what { startedTrees.insert(tree) }
    settler.git(what, in: tree, at: now)
  }

  private func gitEvent(_ event: InotifyEvent, hasCome: Bool) -> GitEvent {
    if let sign = GitSign(name: event.name) {
      return hasCome ? .appeared(sign) : .disappeared(sign, isUsed: event.kinds.contains(.movedFrom))
    }
    guard event.kinds.contains(.movedTo) else { return .heard }
    if event.name.elementsEqual("HEAD".utf8) { return .switched }
    return event.name.elementsEqual("ORIG_HEAD".utf8) ? .leftOriginal : .heard
  }

  private func gitFolder(of tree: RelativePath) -> GitFolder? {
    if tree == .root { return root.resolved.flatMap(GitFolder.find) }
    if !table.contains(tree) { return nil }
    // What has a name that is no text stays unknown, and with it what git does there.
    return String(validating: tree.bytes, as: UTF8.self).flatMap { GitFolder(of: RootPath.join(root.absolute, $0)) }
  }

  private func superproject(of tree: RelativePath, _ folder: GitFolder) -> RelativePath? {
    var outer = tree.parent
    while let current = outer {
      if let repository = repositories[current], repository.isComplete { return folder.isSubmodule(of: repository.folder) ? current : nil }
      outer = current.parent
    }
    return nil
  }

  private func addWatch(to folder: GitFolder) throws(WatchError) -> Int32? {
    do throws(WatchError) {
      return try inotify.add(folder.path, Self.gitKinds, display: root.given)
    } catch {
      if error.code == .noWatchesLeft { throw error }
      return nil
    }
  }

  private func forgetGit(_ tree: RelativePath, _ settler: inout Settler, at now: Instant) {
    guard let known = repositories.removeValue(forKey: tree) else { return }
    heardTrees.insert(tree)
    removeGitWatch(known.watch, of: tree)
    if known.isComplete { settler.git(.gone, in: tree, at: now) }
  }

  private func removeGitWatch(_ watch: Int32, of tree: RelativePath) {
    gitTrees[watch]?.remove(tree)
    guard gitTrees[watch]?.isEmpty == true else { return }
    gitTrees[watch] = nil
    // A repository's folder may be one of those that are watched for items.
    release(watch)
  }
}
