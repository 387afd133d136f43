import Files

/// A ``GitSession`` for each work tree in a root, and the groups of sessions that end together. Pure.
///
/// A work tree is named by its folder. `.root` is the tree that contains the root; if there is
/// none, it never gets an event. A command in one tree holds back nothing in another, with two
/// exceptions: a tree inside one where git is at work, and the submodules of one tree.
struct GitSessions {
  typealias Instant = SuspendingClock.Instant

  private let timing: SettleTiming
  private var sessions: [RelativePath: GitSession]
  /// For each submodule, the tree whose repository contains its repository. Activity in a submodule
  /// counts for that tree, too.
  private var superprojects: [RelativePath: RelativePath] = [:]
  /// The trees whose command has changed the work tree and is not over, and those that end together
  /// with one.
  private(set) var touching: Set<RelativePath> = []
  /// The trees that were removed and are still touching.
  private var removed: Set<RelativePath> = []

  init(timing: SettleTiming) {
    self.timing = timing
    sessions = [.root: GitSession(timing: timing)]
  }

  // MARK: Trees

  /// Returns the innermost tree that contains a path.
  func tree(of path: DirtyPath) -> RelativePath {
    if sessions.count == 1 { return .root }
    switch path {
    case .entry(let path): return innermost(at: path.parent)
    case .subtree(let path): return innermost(at: path)
    }
  }

  private func innermost(at path: RelativePath?) -> RelativePath {
    var path = path
    while let current = path, current != .root {
      if sessions[current] != nil { return current }
      path = current.parent
    }
    return .root
  }

  private func around(_ tree: RelativePath) -> [RelativePath] {
    var trees: [RelativePath] = []
    var current = tree
    while current != .root {
      current = innermost(at: current.parent)
      trees.append(current)
    }
    return trees
  }

  /// Adds a tree, or replaces the superproject of a known one.
  mutating func add(_ tree: RelativePath, superproject: RelativePath?) {
    if sessions[tree] == nil { sessions[tree] = GitSession(timing: timing) }
    superprojects[tree] = superproject
    removed.remove(tree)
  }

  private mutating func forgetIfRemoved(_ tree: RelativePath) {
    if touching.contains(tree) || removed.remove(tree) == nil { return }
    sessions[tree] = nil
  }

  // MARK: Events

  mutating func apply(_ event: GitEvent, in tree: RelativePath, gap: Duration, at now: Instant) -> Bool {
    guard let isEnd = sessions[tree]?.apply(event, gap: gap, at: now) else { return false }
    if event.isActivity, let superproject = superprojects[tree] {
      _ = apply(.activity, in: superproject, gap: gap, at: now)
    }
    if case .removed = event, tree != .root {
      superprojects[tree] = nil
      removed.insert(tree)
      forgetIfRemoved(tree)
    }
    return isEnd
  }

  // MARK: Holding

  /// The session of a tree; an empty one if the tree is unknown.
  subscript(tree: RelativePath) -> GitSession { sessions[tree] ?? GitSession(timing: timing) }

  mutating func touch(_ tree: RelativePath, at now: Instant) {
    sessions[tree]?.touch(at: now)
    join(tree, at: now)
  }

  /// Holds a path back. `isProven` is true if the change is known to be git's already.
  mutating func hold(_ path: DirtyPath, in tree: RelativePath, isProven: Bool = false, at now: Instant) {
    sessions[tree]?.hold(path, isProven: isProven, at: now)
    join(tree, at: now)
  }

  /// Includes the trees around a tree: its change may be a part of the command that runs around it.
  private mutating func join(_ tree: RelativePath, at now: Instant) {
    touching.insert(tree)
    if tree == .root { return }
    var inner = tree
    for outer in around(tree) {
      let isSubmodule = superprojects[inner] == outer
      if isSubmodule { sessions[outer]?.recordActivity(at: now) }
      if isSubmodule || self[outer].isAtWork(at: now) {
        sessions[outer]?.touch(at: now)
        touching.insert(outer)
      }
      inner = outer
    }
  }

  /// Returns true if a git command still runs that first touched a work tree at or before a time.
  func isTouching(since time: Instant) -> Bool {
    touching.contains { self[$0].touchedSince.map { $0 <= time } ?? false }
  }

  /// The number of paths that are held. A command that is not over counts as at least one.
  var pendingCount: Int { touching.reduce(0) { $0 + self[$1].pendingCount } }

  var held: DirtyPaths {
    touching.reduce(into: DirtyPaths(origin: .git)) { $0.formUnion(self[$1].held) }
  }

  // MARK: The end

  var deadline: Instant? { groups.map(\.end).min() }

  func over(at now: Instant) -> [[RelativePath]] {
    groups.filter { $0.end <= now }.map(\.trees)
  }

  /// Keeps sessions from ending, because git is at work in one of these trees. Returns false if
  /// they have already lasted for `maxWait`.
  mutating func postpone(_ trees: [RelativePath], at now: Instant) -> Bool {
    guard let first = trees.compactMap({ self[$0].touchedSince }).min(), now < first + timing.maxWait else {
      return false
    }
    for tree in trees { sessions[tree]?.recordActivity(at: now) }
    return true
  }

  mutating func end(_ tree: RelativePath, isAtWork: Bool, at now: Instant) -> DirtyPaths {
    touching.remove(tree)
    let held = sessions[tree]?.end(isAtWork: isAtWork, at: now) ?? DirtyPaths()
    forgetIfRemoved(tree)
    return held
  }

  /// The touched trees, grouped by their outermost touched tree. A group ends when the last of its
  /// trees does, but not later than the first of them would end in any case.
  private var groups: [(trees: [RelativePath], end: Instant)] {
    if touching.isEmpty { return [] }
    // The usual case, which each event of a large checkout asks for.
    if touching.count == 1, let tree = touching.first {
      guard let last = sessions[tree]?.deadline, let first = sessions[tree]?.touchedSince else { return [] }
      return [([tree], min(last, first + timing.maxWait + timing.lockGrace))]
    }
    let groups = Dictionary(grouping: touching) { tree in around(tree).last(where: touching.contains) ?? tree
    }
    return groups.values.compactMap { trees in
      let sessions = trees.map { self[$0] }
      guard let last = sessions.compactMap(\.deadline).max(),
        let first = sessions.compactMap(\.touchedSince).min()
      else { return nil }
      return (trees, min(last, first + timing.maxWait + timing.lockGrace))
    }
  }
}
