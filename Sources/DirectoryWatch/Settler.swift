/// Decides when a changed path is whole enough to be looked at. Pure: it is told changes and times, and asked what is due; it has no clock and does
/// no I/O.
///
/// - What is whole is due at once: closed after writing, or renamed into place.
/// - What may be unfinished (written and not closed, or created without being written, as links are) is due after a quiet gap.
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
    /// Written to, and still open, or its attributes changed.
    case changed(isEmpty: Bool)
    case completed(isEmpty: Bool)
    /// Renamed into place.
    case arrived(cookie: UInt32)
    /// Nothing is known to have changed, but somebody wants it looked at.
    case asked
  }

  private struct Wait {
    enum Reason { case unfinished, emptied, vanished, renamed }
    /// What the first change was: tells git's way of writing (remove, create) from an editor's (write in place).
    enum Start { case creation, loss, change }

    var reason: Reason
    let start: Start
    let since: Instant
    var last: Instant
    var cookie: UInt32 = 0
    var partner: Place?
    /// Happened while git had a sign up.
    var byGit = false
  }

  private let timing: SettleTiming
  private var waiting: [Place: Wait] = [:]
  private var cookies: [UInt32: Place] = [:]
  private var ready = DirtyPaths()
  /// No waiting place is due before; so a storm costs a comparison an event and a pass over all a gap.
  private var earliest: Instant?
  private var lastEvent: Instant?
  private var overflow: OverflowBackoff
  private var git: GitSession

  init(timing: SettleTiming) {
    self.timing = timing
    overflow = OverflowBackoff(timing: timing)
    git = GitSession(timing: timing)
  }

  // MARK: What happens

  mutating func note(_ change: Change, of place: Place, at now: Instant) {
    lastEvent = now
    switch change {
    case .vanished(let cookie): vanish(place, cookie: cookie, at: now)
    case .created(let isEmpty): wait(for: place, isEmpty ? .emptied : .unfinished, start: .creation, at: now)
    case .changed(let isEmpty): wait(for: place, isEmpty ? .emptied : .unfinished, start: .change, at: now)
    case .completed(isEmpty: true): wait(for: place, .emptied, start: .change, at: now)
    case .completed(isEmpty: false): finish(place, at: now)
    case .arrived(let cookie): arrive(place, cookie: cookie, at: now)
    case .asked: finish(place, orStart: .loss, at: now)
    }
  }

  mutating func gitSign(_ sign: GitSign, isThere: Bool, at now: Instant) {
    isThere ? git.appeared(sign, at: now) : git.disappeared(sign, at: now)
  }

  /// HEAD was replaced.
  mutating func gitSwitched(at now: Instant) {
    git.switched(at: now)
  }

  mutating func gitSigns(found signs: Set<GitSign>, at now: Instant) {
    git.found(signs, at: now)
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
  mutating func takeDue(at now: Instant) -> [DirtyPaths] {
    sweep(at: now)
    var batches: [DirtyPaths] = []
    if !ready.isEmpty {
      batches.append(ready)
      ready = DirtyPaths()
    }
    if var done = git.takeIfOver(at: now) {
      for (place, wait) in waiting where wait.byGit {
        remove(place, wait)
        done.insert(place)
      }
      done.gone = done.files
      if !done.isEmpty { batches.append(done) }
    }
    return batches
  }

  // MARK: Waiting

  private mutating func wait(for place: Place, _ reason: Wait.Reason, start: Wait.Start, at now: Instant) {
    let old = waiting[place]
    // A place that waits for its partner's grace goes on doing so.
    let keepsPartner = old?.reason == .renamed && old?.partner != nil
    var wait = Wait(reason: keepsPartner ? .renamed : reason, start: earlier(old?.start, start), since: old?.since ?? now, last: now)
    wait.partner = old?.partner
    wait.byGit = old?.byGit ?? false
    if wait.start != .change { markGit(&wait, at: now) }
    insert(place, wait)
  }

  private mutating func vanish(_ place: Place, cookie: UInt32, at now: Instant) {
    let old = waiting[place]
    if let old, old.start == .creation, old.partner == nil {
      // It came and went before anybody heard of it: there is nothing to wait for.
      return finish(place, isGone: true, at: now)
    }
    if let old, old.cookie != 0 { cookies[old.cookie] = nil }
    var wait = Wait(reason: .vanished, start: .loss, since: old?.since ?? now, last: now, cookie: cookie, partner: old?.partner)
    wait.byGit = old?.byGit ?? false
    markGit(&wait, at: now)
    insert(place, wait)
    if cookie != 0 { cookies[cookie] = place }
  }

  private mutating func arrive(_ place: Place, cookie: UInt32, at now: Instant) {
    guard let source = cookies.removeValue(forKey: cookie), source != place, var from = waiting[source], from.reason == .vanished else {
      return finish(place, at: now)
    }
    let old = waiting[place]
    var wait = Wait(reason: .renamed, start: earlier(old?.start, .creation), since: old?.since ?? now, last: now, partner: source)
    wait.byGit = from.byGit || old?.byGit == true
    from.cookie = 0
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
    if wait.cookie != 0 { cookies[wait.cookie] = nil }
  }

  /// The first change decides, but a loss or a creation outweighs a mere change.
  private func earlier(_ old: Wait.Start?, _ new: Wait.Start) -> Wait.Start {
    guard let old, old != .change else { return new }
    return old
  }

  private mutating func markGit(_ wait: inout Wait, at now: Instant) {
    guard git.hasSigns else { return }
    wait.byGit = true
    git.touch(at: now)
  }

  // MARK: Being due

  /// `orStart`: how it began where nothing waits for it. `isGone`: whether its going is the last that was heard of it.
  private mutating func finish(_ place: Place, orStart start: Wait.Start = .change, isGone: Bool = false, at now: Instant) {
    let wait = waiting[place]
    if let wait { remove(place, wait) }
    release(place, wait, start: wait?.start ?? start, isGone: isGone, at: now)
    if let partner = wait?.partner, let other = waiting[partner] {
      remove(partner, other)
      release(partner, other, start: other.start, isGone: other.reason == .vanished, at: now)
    }
  }

  private mutating func release(_ place: Place, _ wait: Wait?, start: Wait.Start, isGone: Bool, at now: Instant) {
    let looksLikeGit = wait?.byGit == true || (start != .change && git.isRunning(at: now))
    if looksLikeGit || git.isHolding(place) {
      git.hold(place, at: now)
    } else {
      ready.insert(place)
      if case .entry(let path) = place { ready.note(path, isGone: isGone) }
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
        finish(place, isGone: wait.reason == .vanished, at: now)
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
    case .unfinished: return min((isSubtree ? lastEvent ?? wait.last : wait.last) + timing.settle, end)
    case .vanished, .renamed: return min((lastLoss ?? wait.last) + timing.settle, end)
    }
  }
}
