import Files

/// The decision when a changed path is complete enough to be read. Pure: it takes events and
/// times, and returns the batches that are due. It has no clock and does no I/O.
///
/// - A complete file is due at once: it was closed after writing, or renamed into place.
/// - A file that may be unfinished is due after a quiet gap: it was created without being written,
///   as links are, or it is still open, which makes the gap longer.
/// - A path that vanished has a grace period in which it may come back, as in most editors' saves.
///   Several that vanish in a row are due together.
/// - Both names of a rename within the root are due together, when the grace period of the old name
///   is over.
/// - The changes of a git command are held until the command is over, and are due as one batch
///   (``GitSession``).
/// - Nothing waits longer than `maxWait`.
struct Settler {
  typealias Instant = SuspendingClock.Instant

  private let timing: SettleTiming
  private var pending: [DirtyPath: PendingChange] = [:]
  /// The paths that were renamed away, by the cookie of the rename. There are several if one folder
  /// is at several paths; they are in the order in which they will arrive.
  private var cookies: [UInt32: [DirtyPath]] = [:]
  private var ready = DirtyPaths()
  /// A lower bound on the next deadline of a pending change. It keeps an event burst at one
  /// comparison per event and one full scan per quiet period.
  private var earliest: Instant?
  private var lastEvent: Instant?
  private var overflow: OverflowBackoff
  private var git: GitSessions
  private var early = EarlyFiles()

  init(timing: SettleTiming) {
    self.timing = timing
    overflow = OverflowBackoff(timing: timing)
    git = GitSessions(timing: timing)
  }

  // MARK: Events

  mutating func apply(_ event: SourceEvent, at now: Instant) {
    switch event {
    case .change(let change, let path): record(change, of: path, at: now)
    case .git(let event, let tree): recordGit(event, in: tree, at: now)
    case .workTree(let tree, let superproject): git.add(tree, superproject: superproject)
    case .overflow:
      lastEvent = now
      overflow.overflowed(at: now)
      early.removeAll()
    case .repository: break
    }
  }

  private mutating func record(_ change: SourceEvent.Change, of path: DirtyPath, at now: Instant) {
    lastEvent = now
    early.change(path)
    switch change {
    case .vanished(let cookie): vanish(path, cookie: cookie, at: now)
    case .created(let isEmpty): wait(for: path, isEmpty ? .emptied : .unfinished, start: .creation, at: now)
    case .written(let isEmpty): wait(for: path, isEmpty ? .emptied : .open, start: .change, at: now)
    case .changed(let isEmpty): wait(for: path, isEmpty ? .emptied : .unfinished, start: .change, at: now)
    case .completed(isEmpty: true): wait(for: path, .emptied, start: .change, at: now)
    case .completed(isEmpty: false): finish(path, at: now)
    case .arrived(let cookie): arrive(path, cookie: cookie, at: now)
    case .requested: finish(path, orStart: .loss, at: now)
    }
  }

  private mutating func recordGit(_ event: GitEvent, in tree: RelativePath, at now: Instant) {
    var gap = Duration.zero
    if case .disappeared(_, isUsed: false) = event {
      // A missing path was removed by git for good, or by an editor that is about to write it again.
      if pending.contains(where: { $1.isFromGit && $1.isGone && git.tree(of: $0) == tree }) {
        gap = timing.settle
      }
    }
    guard git.apply(event, in: tree, gap: gap, at: now) else { return }
    // Git leaves no file open, so a file that is open now was changed by another program.
    for (path, change) in pending
    where change.isFromGit && (change.reason == .open || change.reason == .emptied)
      && git.tree(of: path) == tree
    {
      pending[path]?.isFromGit = false
    }
  }

  // MARK: Questions

  var deadline: Instant? {
    let rescan = lastEvent.flatMap { overflow.deadline(lastEvent: $0) }
    return [earliest, git.deadline, rescan].compactMap { $0 }.min()
  }

  /// Returns true if a git command that is not over changes a path of `batch`.
  func isGitChanging(_ batch: DirtyPaths) -> Bool {
    if git.touching.isEmpty { return false }
    var changed = git.held
    for (path, change) in pending where change.isFromGit { changed.insert(path) }
    return changed.overlaps(batch)
  }

  /// Returns true if a git command is running in a tree, as far as its markers show.
  func isGitActive(in tree: RelativePath) -> Bool { git[tree].hasMarkers || git[tree].isTouching }

  /// A git command that is not over counts as at least one.
  var pendingCount: Int { pending.count + git.pendingCount + (overflow.isPending ? 1 : 0) }

  /// Returns true if a change that was observed at or before a time is still pending or held.
  func isPending(since time: Instant) -> Bool {
    overflow.isPending(since: time) || git.isTouching(since: time)
      || pending.values.contains { $0.since <= time }
  }

  /// Returns true if everything must be rescanned now. The caller restores its watches and then
  /// calls ``rescanned(at:)``.
  func needsRescan(at now: Instant) -> Bool {
    guard let lastEvent, let due = overflow.deadline(lastEvent: lastEvent) else { return false }
    return due <= now
  }

  /// Answers an overflow: everything is dirty.
  mutating func rescanned(at now: Instant) {
    overflow.rescanned(at: now)
    ready.isRescan = true
    record(.requested, of: .subtree(.root), at: now)
  }

  // MARK: Due batches

  /// Returns files that a running git command has completed, once per change; a later batch has them.
  mutating func reportEarlyFiles() -> Set<RelativePath> { early.report() }

  /// Returns the work trees where a decision is due now and whose markers do not show whether git
  /// is still at work. The caller searches for a process of git in them.
  mutating func treesToVerify(at now: Instant) -> [RelativePath] {
    sweep(at: now)
    return git.over(at: now).flatMap { $0 }.filter { git[$0].needsProof(at: now) }
  }

  /// Removes and returns the batches that are due: one of files, and one for each group of trees in which
  /// git is done. A process of git is at work in `workingTrees`, a part of ``treesToVerify(at:)``.
  mutating func removeDue(at now: Instant, workingTrees: Set<RelativePath> = []) -> [DirtyPaths] {
    sweep(at: now)
    var batches: [DirtyPaths] = []
    if !ready.isEmpty { batches.append(exchange(&ready, with: DirtyPaths())) }
    for trees in git.over(at: now) {
      let working = Set(trees.filter { git[$0].needsProof(at: now) && workingTrees.contains($0) })
      if !working.isEmpty, git.postpone(trees, at: now) { continue }
      let done = removeDone(in: trees, working, at: now)
      if !done.isEmpty { batches.append(done) }
    }
    return batches
  }

  private mutating func removeDone(in trees: [RelativePath], _ working: Set<RelativePath>, at now: Instant)
    -> DirtyPaths
  {
    // If a command continues, its unfinished changes are in its next batch.
    let finished = Set(trees.filter { !git[$0].isCut })
    let fromGit = pending.filter { path, change in
      guard change.isFromGit || (change.isGone && change.start.isGitStyle) else { return false }
      let tree = git.tree(of: path)
      return finished.contains(tree) && (change.isFromGit || git[tree].covers(change.since))
    }
    var done = DirtyPaths(origin: .git)
    for (path, change) in fromGit {
      remove(path, change)
      done.insert(path)
    }
    for tree in trees { done.formUnion(git.end(tree, isAtWork: working.contains(tree), at: now)) }
    done.gone = done.files
    done.early = early.end(done.files)
    return done
  }

  // MARK: Waiting

  private mutating func wait(
    for path: DirtyPath, _ reason: PendingChange.Reason, start: PendingChange.Start, at now: Instant
  ) {
    let old = pending[path]
    if let old { dropCookie(of: path, old) }
    // A name that waits for the grace period of its old name keeps waiting.
    let keepsPartner = old?.reason == .renamed && old?.partner != nil
    // Programs set the mode of a file before they close it.
    let reason: PendingChange.Reason =
      keepsPartner ? .renamed : old?.reason == .open && reason == .unfinished ? .open : reason
    var change = PendingChange(
      reason: reason, start: .first(old?.start, then: start), since: old?.since ?? now, last: now)
    change.partner = old?.partner
    change.isFromGit = old?.isFromGit ?? false
    change.mayBeFromGit = old?.mayBeFromGit ?? false
    markGit(&change, of: path, at: now)
    insert(path, change)
  }

  private mutating func vanish(_ path: DirtyPath, cookie: UInt32, at now: Instant) {
    let old = pending[path]
    if let old, old.start == .creation, old.partner == nil {
      // The file was created and removed before anybody read it: there is nothing to wait for.
      return finish(path, isGone: true, at: now)
    }
    if let old { dropCookie(of: path, old) }
    let start = cookie == 0 ? PendingChange.Start.loss : .rename
    var change = PendingChange(
      reason: .vanished, start: start, since: old?.since ?? now, last: now, cookie: cookie,
      partner: old?.partner)
    change.isFromGit = old?.isFromGit ?? false
    markGit(&change, of: path, at: now)
    insert(path, change)
    if cookie != 0 { cookies[cookie, default: []].append(path) }
  }

  private mutating func arrive(_ path: DirtyPath, cookie: UInt32, at now: Instant) {
    let sources = (cookies[cookie] ?? []).filter { $0 != path && pending[$0]?.reason == .vanished }
    guard let source = sources.first, var from = pending[source] else {
      cookies[cookie] = nil
      return finish(path, at: now)
    }
    // The last source stays for the other paths of the target folder.
    if sources.count > 1 { from.cookie = 0 }
    cookies[cookie] = sources.count > 1 ? Array(sources.dropFirst()) : sources
    let old = pending[path]
    let start = PendingChange.Start.first(old?.start, then: .rename)
    var change = PendingChange(
      reason: .renamed, start: start, since: old?.since ?? now, last: now, partner: source)
    change.isFromGit = from.isFromGit || old?.isFromGit == true
    change.mayBeFromGit = from.mayBeFromGit
    from.partner = path
    pending[source] = from
    insert(path, change)
  }

  private mutating func insert(_ path: DirtyPath, _ change: PendingChange) {
    pending[path] = change
    let due = change.deadline(timing, lastLoss: nil, lastEvent: nil)
    earliest = earliest.map { min($0, due) } ?? due
  }

  private mutating func remove(_ path: DirtyPath, _ change: PendingChange) {
    pending[path] = nil
    if pending.isEmpty { earliest = nil }
    dropCookie(of: path, change)
  }

  private mutating func dropCookie(of path: DirtyPath, _ change: PendingChange) {
    guard change.cookie != 0 else { return }
    cookies[change.cookie]?.removeAll { $0 == path }
    if cookies[change.cookie]?.isEmpty == true { cookies[change.cookie] = nil }
  }

  private mutating func markGit(_ change: inout PendingChange, of path: DirtyPath, at now: Instant) {
    let tree = git.tree(of: path)
    guard git[tree].isAtWork(at: now) else { return }
    if change.start == .rename { change.mayBeFromGit = true }
    guard change.start.isGitStyle else { return }
    change.isFromGit = true
    git.touch(tree, at: now)
  }

  // MARK: Release

  /// Ends the wait of a path and of its rename's other name. `start` is for a path that does not wait.
  private mutating func finish(
    _ path: DirtyPath, orStart start: PendingChange.Start = .change, isGone: Bool = false, at now: Instant
  ) {
    let change = pending[path] ?? PendingChange(reason: .unfinished, start: start, since: now, last: now)
    remove(path, change)
    release(path, change, isGone: isGone, at: now)
    if let partner = change.partner, let other = pending[partner] {
      remove(partner, other)
      release(partner, other, isGone: other.reason == .vanished, at: now)
    }
  }

  private mutating func release(_ path: DirtyPath, _ change: PendingChange, isGone: Bool, at now: Instant) {
    let tree = git.tree(of: path)
    if change.isFromGit || git[tree].isHolding(path)
      || (change.start.isGitStyle && git[tree].isRunning(at: now))
    {
      git.hold(path, in: tree, at: now)
      if case .entry(let file) = path, !isGone { early.complete(file) }
    } else if change.mayBeFromGit && change.isGone && git[tree].wasActive(since: change.since) {
      git.hold(path, in: tree, isProven: true, at: now)
    } else {
      ready.insert(path)
      ready.recordTime(change.since)
      guard case .entry(let file) = path else { return }
      if isGone { ready.gone.insert(file) } else { ready.gone.remove(file) }
    }
  }

  private mutating func sweep(at now: Instant) {
    guard let first = earliest, first <= now else { return }
    let lastLoss = pending.values.lazy.filter { $0.reason == .vanished }.map(\.last).max()
    earliest = nil
    for (path, change) in pending where pending[path] != nil {
      let isSubtree = if case .subtree = path { true } else { false }
      let due = change.deadline(timing, lastLoss: lastLoss, lastEvent: isSubtree ? lastEvent : nil)
      if due <= now {
        // A thread that wakes up late decides as if in time: a change that was due before a command
        // ended belongs to the command.
        finish(path, isGone: change.reason == .vanished, at: due)
      } else {
        earliest = earliest.map { min($0, due) } ?? due
      }
    }
  }
}

/// A change that is not reported yet, because more changes of its path may follow.
private struct PendingChange {
  typealias Instant = SuspendingClock.Instant

  /// The reason why it waits, which decides for how long.
  enum Reason { case unfinished, open, emptied, vanished, renamed }

  /// The first change of the path. It separates git's way of writing (remove, create) from an
  /// editor's (write in place, rename).
  enum Start {
    case creation, loss, change, rename

    var isGitStyle: Bool { self == .creation || self == .loss }

    /// Returns the start of a path that changed again. The first change decides, but a loss or a
    /// creation outweighs a mere change.
    static func first(_ old: Start?, then new: Start) -> Start {
      guard let old, old != .change else { return new }
      return old
    }
  }

  var reason: Reason
  let start: Start
  let since: Instant
  var last: Instant
  var cookie: UInt32 = 0
  var partner: DirtyPath?
  /// True if it happened in git's way while a marker of git was there.
  var isFromGit = false
  /// True if it is a rename while a marker of git was there. Of git's commands only `git mv`
  /// renames, so git must show other activity before the rename counts as git's.
  var mayBeFromGit = false

  /// True if the path is gone, or was replaced by a rename from a path that is.
  var isGone: Bool { reason == .vanished || reason == .renamed }

  /// Returns the end of the wait. `lastLoss` is when the last path vanished: paths removed in a row are due
  /// together. Without it the result is a lower bound. `lastEvent` is the time of the last event of any
  /// kind, for a subtree: its files are still arriving.
  func deadline(_ timing: SettleTiming, lastLoss: Instant?, lastEvent: Instant?) -> Instant {
    let end = since + timing.maxWait
    switch reason {
    case .emptied: return min(last + timing.emptied, end)
    case .open: return min(last + timing.open, end)
    case .unfinished: return min((lastEvent ?? last) + timing.settle, end)
    case .vanished, .renamed: return min((lastLoss ?? last) + timing.settle, end)
    }
  }
}
