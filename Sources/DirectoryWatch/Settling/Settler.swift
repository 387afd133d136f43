/// Decides when a changed path is whole enough to be looked at. Pure: it is told changes and times, and asked what is due; it has no clock and does
/// no I/O.
///
/// - What is whole is due at once: closed after writing, or renamed into place.
/// - What may be unfinished (written and not closed, or created without being written, as links are) is due after a quiet gap, a longer one while it is open.
/// - What vanished has a grace in which it may come back whole, as in most editors' saves. Several that vanish in a row are due together.
/// - A rename within the root is due as one, when the old name's grace is over.
/// - What a git command does is held until the command is over, and is due as one batch (``GitSession``).
/// - Nothing waits longer than `maxWait`.
struct Settler {
  typealias Instant = SuspendingClock.Instant

  enum Change {
    /// Removed or renamed away; the cookie ties it to its `arrived`, 0 where there is none.
    case vanished(cookie: UInt32)
    case created(isEmpty: Bool)
    /// Written to, and still open.
    case written(isEmpty: Bool)
    /// Its attributes, or nobody knows what.
    case changed(isEmpty: Bool)
    case completed(isEmpty: Bool)
    /// Renamed into place.
    case arrived(cookie: UInt32)
    /// Nothing is known to have changed, but somebody wants it looked at.
    case asked
  }

  private struct Wait {
    enum Reason { case unfinished, open, emptied, vanished, renamed }
    /// What the first change was: tells git's way of writing (remove, create) from an editor's (write in place, rename).
    enum Start {
      case creation, loss, change, rename

      var isGitsWay: Bool { self == .creation || self == .loss }
    }

    var reason: Reason
    let start: Start
    let since: Instant
    var last: Instant
    var cookie: UInt32 = 0
    var partner: Place?
    /// Happened in git's way while git had a sign up.
    var byGit = false
    /// The same of a rename. Only `git mv` does that, so git must be heard of before it is believed.
    var mayBeGits = false

    /// Or came by a rename from what is.
    var isGone: Bool { reason == .vanished || reason == .renamed }
  }

  private let timing: SettleTiming
  private var waiting: [Place: Wait] = [:]
  /// What was renamed away, by the cookie: several places where one folder is at several paths, in the order in which they will arrive.
  private var cookies: [UInt32: [Place]] = [:]
  private var ready = DirtyPaths()
  /// No waiting place is due before; so a storm costs a comparison an event and a pass over all a gap.
  private var earliest: Instant?
  private var lastEvent: Instant?
  private var overflow: OverflowBackoff
  private var git: GitSessions

  init(timing: SettleTiming) {
    self.timing = timing
    overflow = OverflowBackoff(timing: timing)
    git = GitSessions(timing: timing)
  }

  // MARK: What happens

  mutating func note(_ change: Change, of place: Place, at now: Instant) {
    lastEvent = now
    switch change {
    case .vanished(let cookie): vanish(place, cookie: cookie, at: now)
    case .created(let isEmpty): wait(for: place, isEmpty ? .emptied : .unfinished, start: .creation, at: now)
    case .written(let isEmpty): wait(for: place, isEmpty ? .emptied : .open, start: .change, at: now)
    case .changed(let isEmpty): wait(for: place, isEmpty ? .emptied : .unfinished, start: .change, at: now)
    case .completed(isEmpty: true): wait(for: place, .emptied, start: .change, at: now)
    case .completed(isEmpty: false): finish(place, at: now)
    case .arrived(let cookie): arrive(place, cookie: cookie, at: now)
    case .asked: finish(place, orStart: .loss, at: now)
    }
  }

  /// What is heard of the repository of a work tree in the root.
  mutating func git(_ event: GitEvent, in tree: RelativePath = .root, at now: Instant) {
    var gap = Duration.zero
    if case .disappeared(_, isUsed: false) = event {
      // Git's, and gone for good; or an editor's, and back in a moment.
      if waiting.contains(where: { $1.byGit && $1.isGone && git.tree(of: $0) == tree }) { gap = timing.settle }
    }
    guard git.take(event, in: tree, gap: gap, at: now) else { return }
    // What is open now was not git's, which leaves nothing open.
    for (place, wait) in waiting where wait.byGit && (wait.reason == .open || wait.reason == .emptied) && git.tree(of: place) == tree {
      waiting[place]?.byGit = false
    }
  }

  /// Makes a work tree in the root known. `superproject`: the tree whose repository its own lies in.
  mutating func addTree(_ tree: RelativePath, submoduleOf superproject: RelativePath?) {
    git.add(tree, submoduleOf: superproject)
  }

  mutating func overflowed(at now: Instant) {
    lastEvent = now
    overflow.overflowed(at: now)
  }

  // MARK: What is due

  /// When to ask next; `nil` while there is nothing to wait for.
  var deadline: Instant? {
    let rescan = lastEvent.flatMap { overflow.deadline(lastEvent: $0) }
    return [earliest, git.deadline, rescan].compactMap { $0 }.min()
  }

  /// Whether a git command that is not over changes what a batch names.
  func isGitChanging(_ batch: DirtyPaths) -> Bool {
    if git.touching.isEmpty { return false }
    var changed = git.held
    for (place, wait) in waiting where wait.byGit { changed.insert(place) }
    return changed.overlaps(batch)
  }

  /// Whether git is heard of in a tree now.
  func isGitBusy(in tree: RelativePath) -> Bool { git[tree].hasSigns || git[tree].isTouching }

  /// How many places wait or are held; a git command that is not over counts as one at least.
  var waitingCount: Int { waiting.count + git.waitingCount + (overflow.isPending ? 1 : 0) }

  /// Whether everything is to be looked at again now. The caller mends its watches first, then calls `rescanned`.
  func needsRescan(at now: Instant) -> Bool {
    guard let lastEvent, let due = overflow.deadline(lastEvent: lastEvent) else { return false }
    return due <= now
  }

  mutating func rescanned(at now: Instant) {
    overflow.rescanned(at: now)
    note(.asked, of: .subtree(.root), at: now)
  }

  /// The batches that are due: at most one of files and one of git.
  ///
  /// - Parameter isGitAtWork: whether a process of git is seen at work in a tree. Called only where the signs of git do not tell.
  mutating func takeDue(at now: Instant, isGitAtWork: (RelativePath) -> Bool = { _ in false }) -> [DirtyPaths] {
    sweep(at: now)
    var batches: [DirtyPaths] = []
    if !ready.isEmpty {
      batches.append(ready)
      ready = DirtyPaths()
    }
    for trees in git.over(at: now) {
      let working = Set(trees.filter { git[$0].needsProof(at: now) && isGitAtWork($0) })
      if !working.isEmpty, git.postpone(trees, at: now) { continue }
      let done = takeDone(trees, working, at: now)
      if !done.isEmpty { batches.append(done) }
    }
    return batches
  }

  /// What was done in work trees in which git is done.
  private mutating func takeDone(_ trees: [RelativePath], _ working: Set<RelativePath>, at now: Instant) -> DirtyPaths {
    // What a command that goes on has not finished is in its next batch.
    let whole = Set(trees.filter { !git[$0].isCut })
    let gits = waiting.filter { place, wait in
      guard wait.byGit || (wait.isGone && wait.start.isGitsWay) else { return false }
      let tree = git.tree(of: place)
      return whole.contains(tree) && (wait.byGit || git[tree].covers(wait.since))
    }
    var done = DirtyPaths(origin: .git)
    for (place, wait) in gits {
      remove(place, wait)
      done.insert(place)
    }
    for tree in trees { done.formUnion(git.end(tree, isAtWork: working.contains(tree), at: now)) }
    done.gone = done.files
    return done
  }

  // MARK: Waiting

  private mutating func wait(for place: Place, _ reason: Wait.Reason, start: Wait.Start, at now: Instant) {
    let old = waiting[place]
    if let old { dropCookie(of: place, old) }
    // A place that waits for its partner's grace goes on doing so.
    let keepsPartner = old?.reason == .renamed && old?.partner != nil
    // Programs set the mode of what they write before they close it.
    let reason: Wait.Reason = keepsPartner ? .renamed : old?.reason == .open && reason == .unfinished ? .open : reason
    var wait = Wait(reason: reason, start: earlier(old?.start, start), since: old?.since ?? now, last: now)
    wait.partner = old?.partner
    wait.byGit = old?.byGit ?? false
    wait.mayBeGits = old?.mayBeGits ?? false
    markGit(&wait, of: place, at: now)
    insert(place, wait)
  }

  private mutating func vanish(_ place: Place, cookie: UInt32, at now: Instant) {
    let old = waiting[place]
    if let old, old.start == .creation, old.partner == nil {
      // It came and went before anybody heard of it: there is nothing to wait for.
      return finish(place, isGone: true, at: now)
    }
    if let old { dropCookie(of: place, old) }
    let start = cookie == 0 ? Wait.Start.loss : .rename
    var wait = Wait(reason: .vanished, start: start, since: old?.since ?? now, last: now, cookie: cookie, partner: old?.partner)
    wait.byGit = old?.byGit ?? false
    markGit(&wait, of: place, at: now)
    insert(place, wait)
    if cookie != 0 { cookies[cookie, default: []].append(place) }
  }

  private mutating func arrive(_ place: Place, cookie: UInt32, at now: Instant) {
    let sources = (cookies[cookie] ?? []).filter { $0 != place && waiting[$0]?.reason == .vanished }
    guard let source = sources.first, var from = waiting[source] else {
      cookies[cookie] = nil
      return finish(place, at: now)
    }
    // The last one stays for the other paths of a folder that what is renamed goes to.
    if sources.count > 1 { from.cookie = 0 }
    cookies[cookie] = sources.count > 1 ? Array(sources.dropFirst()) : sources
    let old = waiting[place]
    var wait = Wait(reason: .renamed, start: earlier(old?.start, .rename), since: old?.since ?? now, last: now, partner: source)
    wait.byGit = from.byGit || old?.byGit == true
    wait.mayBeGits = from.mayBeGits
    from.partner = place
    waiting[source] = from
    insert(place, wait)
  }

  private mutating func insert(_ place: Place, _ wait: Wait) {
    waiting[place] = wait
    let due = deadline(of: wait, lastLoss: nil, isSubtree: false)
    earliest = earliest.map { min($0, due) } ?? due
  }

  private mutating func remove(_ place: Place, _ wait: Wait) {
    waiting[place] = nil
    if waiting.isEmpty { earliest = nil }
    dropCookie(of: place, wait)
  }

  private mutating func dropCookie(of place: Place, _ wait: Wait) {
    guard wait.cookie != 0 else { return }
    cookies[wait.cookie]?.removeAll { $0 == place }
    if cookies[wait.cookie]?.isEmpty == true { cookies[wait.cookie] = nil }
  }

  /// The first change decides, but a loss or a creation outweighs a mere change.
  private func earlier(_ old: Wait.Start?, _ new: Wait.Start) -> Wait.Start {
    guard let old, old != .change else { return new }
    return old
  }

  private mutating func markGit(_ wait: inout Wait, of place: Place, at now: Instant) {
    let tree = git.tree(of: place)
    guard git[tree].isAtWork(at: now) else { return }
    if wait.start == .rename { wait.mayBeGits = true }
    guard wait.start.isGitsWay else { return }
    wait.byGit = true
    git.touch(tree, at: now)
  }

  // MARK: Being due

  /// `orStart`: how it began where nothing waits for it. `isGone`: whether its going is the last that was heard of it.
  private mutating func finish(_ place: Place, orStart start: Wait.Start = .change, isGone: Bool = false, at now: Instant) {
    let wait = waiting[place] ?? Wait(reason: .unfinished, start: start, since: now, last: now)
    remove(place, wait)
    release(place, wait, isGone: isGone, at: now)
    if let partner = wait.partner, let other = waiting[partner] {
      remove(partner, other)
      release(partner, other, isGone: other.reason == .vanished, at: now)
    }
  }

  private mutating func release(_ place: Place, _ wait: Wait, isGone: Bool, at now: Instant) {
    let tree = git.tree(of: place)
    if wait.byGit || git[tree].isHolding(place) || (wait.start.isGitsWay && git[tree].isRunning(at: now)) {
      git.hold(place, in: tree, at: now)
    } else if wait.mayBeGits && wait.isGone && git[tree].wasHeard(since: wait.since) {
      git.hold(place, in: tree, isProven: true, at: now)
    } else {
      ready.insert(place)
      ready.recordTime(wait.since)
      if case .entry(let path) = place {
        if isGone { ready.gone.insert(path) } else { ready.gone.remove(path) }
      }
    }
  }

  private mutating func sweep(at now: Instant) {
    guard let first = earliest, first <= now else { return }
    var lastLoss: Instant?
    for wait in waiting.values where wait.reason == .vanished { lastLoss = lastLoss.map { max($0, wait.last) } ?? wait.last }
    earliest = nil
    for (place, wait) in waiting where waiting[place] != nil {
      var isSubtree = false
      if case .subtree = place { isSubtree = true }
      let due = deadline(of: wait, lastLoss: lastLoss, isSubtree: isSubtree)
      if due <= now {
        // Who wakes up late decides as if in time: what is due before a command is over is the command's.
        finish(place, isGone: wait.reason == .vanished, at: due)
      } else {
        earliest = earliest.map { min($0, due) } ?? due
      }
    }
  }

  /// When a wait ends. Without `lastLoss` a time that is never too late.
  private func deadline(of wait: Wait, lastLoss: Instant?, isSubtree: Bool) -> Instant {
    let end = wait.since + timing.maxWait
    switch wait.reason {
    case .emptied: return min(wait.last + timing.emptied, end)
    case .open: return min(wait.last + timing.open, end)
    case .unfinished: return min((isSubtree ? lastEvent ?? wait.last : wait.last) + timing.settle, end)
    case .vanished, .renamed: return min((lastLoss ?? wait.last) + timing.settle, end)
    }
  }
}
