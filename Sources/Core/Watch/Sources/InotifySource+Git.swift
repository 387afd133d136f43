import Files
import Glibc

/// The repositories whose work trees contain the root or lie in it. Each has its own markers.
extension InotifySource {
  private static let gitKinds: Inotify.Event.Kinds = [
    .created, .deleted, .movedFrom, .movedTo, .onlyDirectories,
  ]

  struct WatchedRepository {
    let folder: GitFolder
    let watch: Int32
    /// False for a `.git` without a HEAD, which is watched until one appears.
    let isComplete: Bool
  }

  /// Finds a tree's repository and watches its markers. `isNew` is true if its `.git` has just appeared.
  func findGit(_ tree: RelativePath, isNew: Bool = false) throws(WatchError) {
    // If git itself removes the root, its markers must be observed until it is done.
    if tree == .root, root.resolved == nil { return }
    guard let folder = findFolder(of: tree), let watch = try addWatch(to: folder) else {
      return forgetGit(tree)
    }
    let found = WatchedRepository(folder: folder, watch: watch, isComplete: folder.isRepository)
    let known = repositories[tree]
    if let known, known.folder == folder, known.watch == watch, known.isComplete == found.isComplete {
      return
    }
    if let known, known.watch != watch { removeGitWatch(known.watch, of: tree) }
    repositories[tree] = found
    gitTrees[watch, default: []].insert(tree)
    observe(.repository(of: tree))
    guard found.isComplete else {
      if known?.isComplete == true { observe(.git(.removed, in: tree)) }
      return
    }
    if tree != .root { observe(.workTree(tree, superproject: superproject(of: tree, folder))) }
    let markers = folder.markers()
    // If the first checkout began before the watch, its lock or the index is there.
    observe(.git(.found(markers, isAtWork: isNew && known?.isComplete != true && folder.hasIndex), in: tree))
  }

  func checkGit() throws(WatchError) {
    while let tree = gitNeedsCheck.popFirst() { try findGit(tree) }
  }

  /// Marks the repositories at and below a folder, which may be gone or replaced.
  func markGitForCheck(at folder: RelativePath) {
    if repositories.isEmpty { return }
    gitNeedsCheck.formUnion(repositories.keys.filter { $0 == folder || $0.isBelow(folder) })
  }

  func handleGit(_ event: Inotify.Event, in tree: RelativePath) throws(WatchError) {
    observe(.repository(of: tree))
    let hasAppeared = !event.kinds.isDisjoint(with: [.created, .movedTo])
    guard repositories[tree]?.isComplete == true else {
      if hasAppeared, event.name.elementsEqual("HEAD".utf8) { try findGit(tree, isNew: true) }
      return
    }
    observe(.git(gitEvent(event, hasAppeared: hasAppeared), in: tree))
  }

  private func gitEvent(_ event: Inotify.Event, hasAppeared: Bool) -> GitEvent {
    if let marker = GitMarker(name: event.name) {
      return hasAppeared ? .appeared(marker) : .disappeared(marker, isUsed: event.kinds.contains(.movedFrom))
    }
    guard event.kinds.contains(.movedTo) else { return .activity }
    if event.name.elementsEqual("HEAD".utf8) { return .headReplaced }
    return event.name.elementsEqual("ORIG_HEAD".utf8) ? .origHeadReplaced : .activity
  }

  private func findFolder(of tree: RelativePath) -> GitFolder? {
    if tree == .root {
      // `git init` makes the folder before the HEAD by which it is found, perhaps in the work tree
      // of another repository.
      return root.resolved.flatMap { GitFolder(of: $0) ?? GitFolder.find(above: $0) }
    }
    if !table.contains(tree) { return nil }
    // A tree whose name is not UTF-8 stays unknown, so its commands are not recognized.
    return root.topOfWorkTree(tree).flatMap(GitFolder.init(of:))
  }

  private func superproject(of tree: RelativePath, _ folder: GitFolder) -> RelativePath? {
    var outer = tree.parent
    while let current = outer {
      if let repository = repositories[current], repository.isComplete {
        return folder.isSubmodule(of: repository.folder) ? current : nil
      }
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

  private func forgetGit(_ tree: RelativePath) {
    guard let known = repositories.removeValue(forKey: tree) else { return }
    observe(.repository(of: tree))
    removeGitWatch(known.watch, of: tree)
    if known.isComplete { observe(.git(.removed, in: tree)) }
  }

  private func removeGitWatch(_ watch: Int32, of tree: RelativePath) {
    gitTrees[watch]?.remove(tree)
    guard gitTrees[watch]?.isEmpty == true else { return }
    gitTrees[watch] = nil
    // A repository's folder may also be watched for its entries.
    release(watch)
  }
}
