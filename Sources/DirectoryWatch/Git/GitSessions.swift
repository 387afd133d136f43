/// A ``GitSession`` for each work tree in a root, and which of them end together. Pure.
///
/// A work tree is named by its folder; `.root` stands for the one that the root is in, and hears of nothing where there is none. What git does in one tree holds back nothing in
/// another, but for two kinds that one command changes together: a tree within one where git is at work, and the submodules of one tree.
struct GitSessions {
  typealias Instant = SuspendingClock.Instant

  private let timing: SettleTiming
  private var sessions: [RelativePath: GitSession]
  /// Of submodules, the tree whose repository theirs lies in: what is heard of theirs is heard of that.
  private var superprojects: [RelativePath: RelativePath] = [:]
  /// Those whose command has changed the work tree and is not over, or that is to end with one.
  private(set) var touching: Set<RelativePath> = []
  /// Those that are no more, and still touching.
  private var gone: Set<RelativePath> = []

  init(timing: SettleTiming) {
    self.timing = timing
    sessions = [.root: GitSession(timing: timing)]
  }

  // MARK: Which tree

  /// The innermost tree that a place is in.
  func tree(of place: Place) -> RelativePath {
    if sessions.count == 1 { return .root }
    switch place {
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

  /// The trees around one, from the inside.
  private func around(_ tree: RelativePath) -> [RelativePath] {
    var trees: [RelativePath] = []
    var current = tree
    while current != .root {
      current = innermost(at: current.parent)
      trees.append(current)
    }
    return trees
  }

  // MARK: What is heard

  /// Makes a tree known, or another kind of tree.
  mutating func add(_ tree: RelativePath, submoduleOf superproject: RelativePath?) {
    if sessions[tree] == nil { sessions[tree] = GitSession(timing: timing) }
    superprojects[tree] = superproject
    gone.remove(tree)
  }

  /// Answers whether it ends what was done under a lock alone. `gap`: how long to wait then for the rest of it.
  mutating func take(_ event: GitEvent, in tree: RelativePath, gap: Duration, at now: Instant) -> Bool {
    guard let isEnd = sessions[tree]?.take(event, gap: gap, at: now) else { return false }
    if event.isWord, let superproject = superprojects[tree] { _ = take(.heard, in: superproject, gap: gap, at: now) }
    if case .gone = event, tree != .root {
      superprojects[tree] = nil
      gone.insert(tree)
      forgetIfGone(tree)
    }
    return isEnd
  }

  private mutating func forgetIfGone(_ tree: RelativePath) {
    if touching.contains(tree) || gone.remove(tree) == nil { return }
    sessions[tree] = nil
  }

  // MARK: What is held

  /// The session of a tree; one that has heard of nothing where it is none.
  subscript(tree: RelativePath) -> GitSession { sessions[tree] ?? GitSession(timing: timing) }

  /// Notes that git did something to a work tree.
  mutating func touch(_ tree: RelativePath, at now: Instant) {
    sessions[tree]?.touch(at: now)
    join(tree, at: now)
  }

  mutating func hold(_ place: Place, in tree: RelativePath, isProven: Bool = false, at now: Instant) {
    isProven ? sessions[tree]?.holdProven(place, at: now) : sessions[tree]?.hold(place, at: now)
    join(tree, at: now)
  }

  /// What changes in a tree may be part of what is done around it.
  private mutating func join(_ tree: RelativePath, at now: Instant) {
    touching.insert(tree)
    if tree == .root { return }
    var inner = tree
    for outer in around(tree) {
      let isSubmodule = superprojects[inner] == outer
      if isSubmodule { sessions[outer]?.hear(at: now) }
      if isSubmodule || self[outer].isAtWork(at: now) {
        sessions[outer]?.touch(at: now)
        touching.insert(outer)
      }
      inner = outer
    }
  }

  /// How many places are held; a command that is not over counts as one at least.
  var waitingCount: Int { touching.reduce(0) { $0 + self[$1].waitingCount } }

  /// All that is held.
  var held: DirtyPaths {
    touching.reduce(into: DirtyPaths(origin: .git)) { $0.formUnion(self[$1].held) }
  }

  // MARK: When it is over

  var deadline: Instant? { groups.map(\.end).min() }

  /// The trees that end together now.
  func over(at now: Instant) -> [[RelativePath]] {
    groups.filter { $0.end <= now }.map(\.trees)
  }

  /// Keeps sessions that are due from ending, as git is at work in one of these trees. False if they have taken as long as they may.
  mutating func postpone(_ trees: [RelativePath], at now: Instant) -> Bool {
    guard let first = trees.compactMap({ self[$0].touchedSince }).min(), now < first + timing.maxWait else { return false }
    for tree in trees { sessions[tree]?.hear(at: now) }
    return true
  }

  /// Ends a session, and hands out what was held.
  mutating func end(_ tree: RelativePath, isAtWork: Bool, at now: Instant) -> DirtyPaths {
    touching.remove(tree)
    let held = sessions[tree]?.end(isAtWork: isAtWork, at: now) ?? DirtyPaths()
    forgetIfGone(tree)
    return held
  }

  /// Trees in one another of which each is touched end when the last of them does, but no later than the first of them would in any case.
  private var groups: [(trees: [RelativePath], end: Instant)] {
    if touching.isEmpty { return [] }
    let groups = Dictionary(grouping: touching) { tree in touching.count == 1 ? tree : around(tree).last(where: touching.contains) ?? tree }
    return groups.values.compactMap { trees in
      let sessions = trees.map { self[$0] }
      guard let last = sessions.compactMap(\.deadline).max(), let first = sessions.compactMap(\.touchedSince).min() else { return nil }
      return (trees, min(last, first + timing.maxWait + timing.lockGrace))
    }
  }
}

extension GitEvent {
  /// Whether it says that a command does more than to look.
  fileprivate var isWord: Bool {
    switch self {
    case .appeared(let sign): !sign.isLock
    case .disappeared(let sign, let isUsed): isUsed || !sign.isLock
    case .switched, .leftOriginal, .heard: true
    case .found, .missed, .ended, .gone: false
    }
  }
}

extension GitSession {
  /// Answers whether it ends what was done under a lock alone.
  fileprivate mutating func take(_ event: GitEvent, gap: Duration, at now: Instant) -> Bool {
    switch event {
    case .appeared(let sign): appeared(sign, at: now)
    case .disappeared(let sign, let isUsed): return disappeared(sign, unusedFor: isUsed ? nil : gap, at: now)
    case .switched: switched(at: now)
    case .leftOriginal: leftOriginal(at: now)
    case .heard: hear(at: now)
    case .found(let signs, let isAtWork): found(signs, isAtWork: isAtWork, at: now)
    case .missed(let signs): missed(nowThere: signs, at: now)
    case .ended: processEnded(at: now)
    case .gone: gone(at: now)
    }
    return false
  }
}
