/// Holds back what a git command does to the work tree until the command is over. Pure: it is told signs and times.
///
/// A command shows by its signs (``GitSign``). They come and go many times within one command, so it is over only when there was nothing of it for a gap.
/// Between its locks the work tree is whole, so that is when a command that outlasts `maxWait` is shown. If a process of git is seen at work then, its signs stay
/// good; otherwise those that are there are given up (a stale lock, a rebase that stopped) until they come again.
///
/// A lock that is dropped unused ends what was done under it alone at once: `git restore` is done then, and `git status`, which takes the lock as well, has
/// done nothing.
struct GitSession {
  typealias Instant = SuspendingClock.Instant

  /// The last that was heard of a command, a lock that may come to nothing aside.
  private struct Word {
    let time: Instant
    /// How long it may be the last without being the end.
    let gap: Duration
  }

  private let timing: SettleTiming
  /// What is there, and since when.
  private var signs: [GitSign: Instant] = [:]
  private var givenUp: Set<GitSign> = []
  private var lastWord: Word?
  /// When the command first touched the work tree; `nil` while it has not, and then nothing is held.
  private(set) var touchedSince: Instant?
  private var lastTouch: Instant?
  /// Whether more was heard since the first touch than a lock.
  private var hasWordSinceTouch = false
  /// Whether the work tree was touched under the lock that is there.
  private var isLockTouched = false
  /// Until when git is expected to change the work tree though it has no sign up.
  private var expectedUntil: Instant?
  /// When a command noted where HEAD was. A checkout does not; one that does, such as a rebase, has more to do when HEAD has moved.
  private var originalLeft: Instant?
  /// Since when no process is at work that was, though signs are there: it stopped for the user, or it crashed.
  private var stoppedAt: Instant?
  private(set) var held = DirtyPaths(origin: .git)

  init(timing: SettleTiming) {
    self.timing = timing
  }

  // MARK: What is heard

  mutating func appeared(_ sign: GitSign, at now: Instant) {
    if sign.isLock, lockSince == nil { isLockTouched = false }
    signs[sign] = now
    stoppedAt = nil
    expectedUntil = nil
    givenUp.remove(sign)
    if !sign.isLock { hear(at: now) }
  }

  /// `unusedFor`: `nil` where a lock became the file that it was for; else how long to wait for the rest of what was done under it. Answers whether that
  /// ends it.
  mutating func disappeared(_ sign: GitSign, unusedFor gap: Duration?, at now: Instant) -> Bool {
    guard signs.removeValue(forKey: sign) != nil else { return false }
    // Files that it was made for have come back under it, or are about to go.
    if sign.isStash, !isLockTouched { expectedUntil = now + timing.gitGap }
    let wasGivenUp = givenUp.remove(sign) != nil
    guard let gap, sign.isLock else {
      if !sign.isLock || !wasGivenUp { hear(at: now) }
      return false
    }
    guard touchedSince != nil, !hasWordSinceTouch, !hasSigns else { return false }
    lastWord = Word(time: now, gap: gap)
    return true
  }

  /// ORIG_HEAD was replaced.
  mutating func leftOriginal(at now: Instant) {
    hear(at: now)
    originalLeft = now
  }

  /// HEAD was replaced.
  mutating func switched(at now: Instant) {
    let isCheckout = originalLeft.map { $0 + timing.gitGap < now } ?? true
    hear(at: now)
    if isCheckout { lastWord = Word(time: now, gap: timing.switchGap) }
  }

  /// Something else happened in the repository's folder, where only git writes.
  mutating func hear(at now: Instant) {
    lastWord = Word(time: now, gap: timing.gitGap)
    hasWordSinceTouch = true
  }

  /// What was there when the watch began or found the repository. Other than locks they are of a command that stopped: they hold nothing. `isAtWork`: whether git has
  /// just made the work tree, with a lock that went unheard.
  mutating func found(_ found: Set<GitSign>, isAtWork: Bool = false, at now: Instant) {
    expectedUntil = isAtWork ? now + timing.gitGap : nil
    signs = Dictionary(uniqueKeysWithValues: found.map { ($0, now) })
    givenUp = found.filter { !$0.isLock }
    lastWord = Word(time: now, gap: timing.gitGap)
  }

  /// What is there now, after some of it may have gone unheard.
  mutating func missed(nowThere found: Set<GitSign>, at now: Instant) {
    for sign in signs.keys where !found.contains(sign) { _ = disappeared(sign, unusedFor: nil, at: now) }
    for sign in found where signs[sign] == nil { appeared(sign, at: now) }
  }

  /// The process that was at work has ended. What it did is whole, and the signs that are left are not of a running command.
  mutating func processEnded(at now: Instant) {
    if signs.isEmpty { return }
    stoppedAt = now
    if touchedSince == nil { giveUpSigns() }
  }

  private mutating func giveUpSigns() {
    givenUp = Set(signs.keys)
    stoppedAt = nil
  }

  /// The repository is no more: what was held is due when nothing more comes of it.
  mutating func gone(at now: Instant) {
    found([], at: now)
  }

  // MARK: What is held

  /// Whether a sign is there now that means something.
  var hasSigns: Bool { signs.count > givenUp.count }

  /// Whether what changes now in git's manner is git's.
  func isAtWork(at now: Instant) -> Bool {
    hasSigns || (expectedUntil.map { $0 > now } ?? false)
  }

  /// Whether a command changed the work tree and is not over.
  var isTouching: Bool { touchedSince != nil }

  /// Whether what happens now in git's manner is taken for git's.
  func isRunning(at now: Instant) -> Bool {
    isAtWork(at: now) || (touchedSince != nil && !isOver(at: now))
  }

  /// Whether git is known to have done something at that time or after it.
  func wasHeard(since time: Instant) -> Bool {
    lastWord.map { $0.time >= time } ?? false
  }

  /// Notes that the command did something to the work tree.
  mutating func touch(at now: Instant) {
    isLockTouched = true
    lastTouch = now
    if touchedSince != nil { return }
    touchedSince = now
    hasWordSinceTouch = false
  }

  mutating func hold(_ place: Place, at now: Instant) {
    touch(at: now)
    held.insert(place)
    held.recordTime(touchedSince ?? now)
  }

  /// The same for what is known to be git's already.
  mutating func holdProven(_ place: Place, at now: Instant) {
    hold(place, at: now)
    hasWordSinceTouch = true
  }

  /// Whether something in git's manner that began then is taken for the command's: `git stash` removes files before it takes the lock.
  func covers(_ time: Instant) -> Bool {
    guard let touchedSince, let lastWord else { return false }
    return time >= touchedSince - timing.gitGap && time <= lastWord.time
  }

  func isHolding(_ place: Place) -> Bool { held.contains(place) }

  var waitingCount: Int { touchedSince == nil ? 0 : max(1, held.files.count + held.subtrees.count) }

  // MARK: When it is over

  /// When the command will be over if nothing more is heard of it.
  var deadline: Instant? {
    guard let touchedSince else { return nil }
    let end = touchedSince + timing.maxWait
    if let stoppedAt { return min(end, stoppedAt) }
    guard let lockSince else { return lastWord.map { min(end, quietEnd(after: $0)) } ?? end }
    // A lock that came when the command was over already, of the next command or of `git status`.
    if !isLockTouched, let lastWord, lockSince >= quietEnd(after: lastWord) { return min(end, quietEnd(after: lastWord)) }
    return min(max(end, lockSince + timing.lockGrace), end + timing.lockGrace)
  }

  /// Whether a command is in the midst of its work: what is handed out now goes on changing.
  var isCut: Bool { lockSince != nil && isLockTouched }

  /// True if the signs alone do not tell whether the command that is due is over.
  func needsProof(at now: Instant) -> Bool {
    guard let touchedSince, !signs.isEmpty, stoppedAt == nil else { return false }
    return now >= touchedSince + timing.maxWait || signs.keys.contains { !$0.isLock }
  }

  /// Ends the session, and hands out what was held. `isAtWork`: whether a process of git is known to be at work.
  mutating func end(isAtWork: Bool, at now: Instant) -> DirtyPaths {
    if stoppedAt != nil {
      giveUpSigns()
    } else if isAtWork {
      givenUp = []
    } else {
      // A lock under which something still happens is none that was left behind.
      let isTouching = lastTouch.map { $0 + timing.lockGrace > now } ?? false
      givenUp = Set(signs.filter { !$0.key.isLock || (!isTouching && $0.value + timing.lockGrace <= now) }.keys)
    }
    touchedSince = nil
    defer { held = DirtyPaths(origin: .git) }
    return held
  }

  private func isOver(at now: Instant) -> Bool {
    deadline.map { $0 <= now } ?? false
  }

  /// Since when the newest lock is there that is not given up.
  private var lockSince: Instant? {
    signs.filter { $0.key.isLock && !givenUp.contains($0.key) }.values.max()
  }

  /// Until when a command that has no lock may be quiet.
  private func quietEnd(after word: Word) -> Instant {
    let steps = signs.keys.filter { !$0.isLock }
    if steps.isEmpty { return word.time + word.gap }
    // What is given up is there when a command that had stopped goes on: no sign tells that from one that lets it lie.
    return word.time + (steps.contains { $0.isStop || givenUp.contains($0) } ? timing.stopGap : timing.maxWait)
  }
}
