import Files

/// The knowledge of the watcher's thread about git beyond the observations that the ``Settler``
/// gets: the state of the repositories' folders, and the processes that run.
struct GitTracker {
  /// The state at the end of the last round, for other threads.
  private(set) var idleState = GitIdleState()
  private var processes = GitProcesses()
  /// Work trees whose repository was active since the last round.
  private var activeTrees: Set<RelativePath> = []
  /// Work trees in which a command of several steps began.
  private var startedTrees: Set<RelativePath> = []

  /// Each is readable when its process has ended.
  var processDescriptors: [Int32] { processes.descriptors }

  mutating func apply(_ observation: Observation) {
    switch observation {
    case .repository(let tree): activeTrees.insert(tree)
    case .git(.appeared(.steps), let tree): startedTrees.insert(tree)
    default: break
    }
  }

  /// Begins a round, before events are read.
  mutating func beginRound(_ folder: (RelativePath) -> GitFolder?) {
    idleState.readStamps(of: activeTrees, folder)
    activeTrees = []
  }

  /// Ends a round, after every due batch was delivered.
  mutating func endRound(_ folder: (RelativePath) -> GitFolder?, isActive: (RelativePath) -> Bool) {
    idleState.update(with: activeTrees, folder, isActive: isActive)
  }

  /// Removes and returns the work trees in which a command of several steps began. Its processes
  /// are to be followed.
  mutating func removeStartedTrees() -> Set<RelativePath> {
    defer { startedTrees = [] }
    return startedTrees
  }

  /// Returns true if a process of git is at work in a tree. With `isFollowing`, its end is reported
  /// later.
  mutating func isGitRunning(in tree: RelativePath, _ root: RootPath, isFollowing: Bool) -> Bool {
    guard let top = root.topOfWorkTree(tree) else { return false }
    return processes.isAtWork(in: tree, top: top, isFollowing: isFollowing)
  }

  /// Removes and returns the trees in which the last process has ended. Call it after all events
  /// were read, so that everything the process did is known.
  mutating func removeEndedTrees() -> [RelativePath] {
    processes.removeEnded()
  }
}
