import Files

/// The knowledge of the watcher's thread about git beyond the events that the ``Settler``
/// gets: the state of the repositories' folders, and the processes that run.
struct GitTracker {
  /// The state at the end of the last round, for other threads.
  private(set) var idleState = GitIdleState()
  var processes = GitProcesses()
  /// Work trees whose repository was active since the last round.
  private var activeTrees: Set<RelativePath> = []
  private var startedTrees: Set<RelativePath> = []

  mutating func apply(_ event: SourceEvent) {
    switch event {
    case .repository(let tree): activeTrees.insert(tree)
    case .git(.appeared(.steps), let tree): startedTrees.insert(tree)
    default: break
    }
  }

  /// Begins a round, before events are read, with the stamps of the repositories that were active.
  mutating func beginRound(_ folder: (RelativePath) -> GitFolder?) {
    for tree in activeTrees {
      idleState.trees[tree] = folder(tree).map { .init(folder: $0, status: $0.status) }
    }
    activeTrees = []
  }

  /// Ends a round, after every due batch was delivered, with the repositories that became active since
  /// its beginning and those where git is at work.
  mutating func endRound(_ folder: (RelativePath) -> GitFolder?, isActive: (RelativePath) -> Bool) {
    for tree in activeTrees where idleState.trees[tree] == nil {
      idleState.trees[tree] = folder(tree).map { .init(folder: $0) }
    }
    for (tree, known) in idleState.trees where known.isActive != isActive(tree) {
      idleState.trees[tree]?.isActive.toggle()
    }
  }

  /// Removes and returns the trees in which a command of several steps began, to follow its processes.
  mutating func removeStartedTrees() -> Set<RelativePath> { exchange(&startedTrees, with: []) }

  /// With `isFollowing`, the end of the process is reported later.
  mutating func isGitRunning(in tree: RelativePath, _ root: RootPath, isFollowing: Bool) -> Bool {
    guard let top = root.topOfWorkTree(tree) else { return false }
    return processes.isAtWork(in: tree, top: top, isFollowing: isFollowing)
  }
}

/// The state of the repositories after the watcher's thread has read all events. From it another thread
/// sees whether git has started anything since, without asking the watcher's thread.
struct GitIdleState {
  fileprivate struct RepositoryState {
    let folder: GitFolder
    /// The status of the folder before the events were read; `nil` if it was not read yet.
    var status: FileStatus?
    var isActive = false
  }

  fileprivate var trees: [RelativePath: RepositoryState] = [:]

  /// True if git was idle since the last round in every tree that the batch touches. One `stat` per tree.
  func isIdle(for batch: DirtyPaths) -> Bool {
    repositories(of: batch).allSatisfy { known in
      !known.isActive && known.status != nil && known.folder.status == known.status
    }
  }

  private func repositories(of batch: DirtyPaths) -> [RepositoryState] {
    if trees.count < 2 { return Array(trees.values) }
    var folders: Set<RelativePath> = []
    for start in batch.files.map(\.parent) + batch.subtrees.map({ $0 }) {
      var folder = start
      while let current = folder, folders.insert(current).inserted { folder = current.parent }
    }
    return trees.filter { tree, _ in folders.contains(tree) || batch.subtrees.contains { tree.isBelow($0) } }
      .map(\.value)
  }
}
