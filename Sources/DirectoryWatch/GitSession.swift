/// Holds back what a git command does to the work tree until the command is over. Pure: it is told signs and times.
///
/// A command shows by its signs (``GitSign``). They come and go many times within one command, so it is over only when there were none for a gap.
/// No hold outlasts `maxWait`; the signs that are there then are given up (a stale lock, a rebase that stopped at a conflict) until they come anew.
struct GitSession {
  typealias Instant = SuspendingClock.Instant

  private let timing: SettleTiming
  private var signs: Set<GitSign> = []
  private var givenUp: Set<GitSign> = []
  private var lastSign: Instant?
  /// Whether HEAD was replaced after all other signs.
  private var hasSwitched = false
  /// When the command first touched the work tree; `nil` while it has not, and then nothing is held: `git status` takes the lock too.
  private var touchedSince: Instant?
  private(set) var held = DirtyPaths(origin: .git)

  init(timing: SettleTiming) {
    self.timing = timing
  }

  mutating func appeared(_ sign: GitSign, at now: Instant) {
    signs.insert(sign)
    givenUp.remove(sign)
    lastSign = now
    hasSwitched = false
  }

  mutating func disappeared(_ sign: GitSign, at now: Instant) {
    guard signs.remove(sign) != nil else { return }
    if givenUp.remove(sign) == nil {
      lastSign = now
      hasSwitched = false
    }
  }

  mutating func switched(at now: Instant) {
    lastSign = now
    hasSwitched = true
  }

  /// What was there when the watch began or found the repository. Other than locks they are of a command that stopped: they hold nothing.
  mutating func found(_ signs: Set<GitSign>, at now: Instant) {
    self.signs = signs
    givenUp = signs.filter { !$0.isLock }
    lastSign = now
  }

  /// Whether a sign is there now that means something.
  var hasSigns: Bool { signs.count > givenUp.count }

  /// Whether what happens now in git's manner is taken for git's.
  func isRunning(at now: Instant) -> Bool {
    hasSigns || (touchedSince != nil && !isOver(at: now))
  }

  /// Notes that the command did something to the work tree.
  mutating func touch(at now: Instant) {
    if touchedSince == nil { touchedSince = now }
  }

  mutating func hold(_ place: Place, at now: Instant) {
    touch(at: now)
    held.insert(place)
    held.note(since: touchedSince ?? now)
  }

  func isHolding(_ place: Place) -> Bool { held.contains(place) }

  var waitingCount: Int { touchedSince == nil ? 0 : max(1, held.files.count + held.subtrees.count) }

  /// When the command will be over if nothing more is heard of it.
  var deadline: Instant? {
    guard let touchedSince else { return nil }
    let end = touchedSince + timing.maxWait
    guard let lastSign else { return end }
    if !hasSigns { return min(end, lastSign + (hasSwitched ? timing.switchGap : timing.gitGap)) }
    return signs.subtracting(givenUp).allSatisfy(\.isMerge) ? min(end, lastSign + timing.mergeGap) : end
  }

  /// Ends the session if it is over, and hands out what was held.
  mutating func takeIfOver(at now: Instant) -> DirtyPaths? {
    guard isOver(at: now) else { return nil }
    givenUp = signs
    touchedSince = nil
    defer { held = DirtyPaths(origin: .git) }
    return held
  }

  private func isOver(at now: Instant) -> Bool {
    deadline.map { $0 <= now } ?? false
  }
}
