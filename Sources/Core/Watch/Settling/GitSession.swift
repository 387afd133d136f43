/// Holds back the changes of a git command in one work tree until the command is over. Pure: its
/// inputs are markers and times.
///
/// A running command is visible by its markers (``GitMarker``). They come and go many times within
/// one command, so the command is over only after a gap without any. Between its locks the work
/// tree is consistent, so a command that outlasts `maxWait` is shown there. If a process of git is
/// at work then, its markers stay valid. Otherwise the markers that are there are ignored until
/// they appear again: a stale lock, or a rebase that stopped.
///
/// If a lock is removed unused, the changes that were made under it alone are complete:
/// `git restore` is over then. `git status` acquires the lock, too, but changes nothing.
struct GitSession {
  typealias Instant = SuspendingClock.Instant

  /// The last activity of a command, except for a lock that may turn out to be unused.
  private struct Activity {
    let time: Instant
    /// The time that the command may be silent after it without being over.
    let gap: Duration
  }

  private let timing: SettleTiming
  private var markers: [GitMarker: Instant] = [:]
  private var ignored: Set<GitMarker> = []
  private var activity: Activity?
  /// The time at which the command first touched the work tree; `nil` if it has not. Nothing is
  /// held before it.
  private(set) var touchedSince: Instant?
  private var lastTouch: Instant?
  /// True if there was activity since the first touch other than a lock.
  private var hasActivitySinceTouch = false
  /// True if the work tree was touched under the present lock.
  private var isLockTouched = false
  /// The time until which git is expected to change the work tree although it shows no marker.
  private var expectedUntil: Instant?
  /// The time at which a command saved the position of HEAD. A checkout does not save it. A command
  /// that does, such as a rebase, continues after HEAD has moved.
  private var origHeadReplacedAt: Instant?
  /// The time at which the last process ended although markers are there: the command stopped for
  /// the user, or it crashed.
  private var stoppedAt: Instant?
  private(set) var held = DirtyPaths(origin: .git)

  init(timing: SettleTiming) {
    self.timing = timing
  }

  // MARK: Events

  /// Records an event. Returns true if it completes the changes that were made under a lock alone; `gap` is
  /// how long to wait then for their remaining events.
  mutating func apply(_ event: GitEvent, gap: Duration, at now: Instant) -> Bool {
    switch event {
    case .appeared(let marker): appeared(marker, at: now)
    case .disappeared(let marker, let isUsed):
      return disappeared(marker, unusedGap: isUsed ? nil : gap, at: now)
    case .headReplaced: headReplaced(at: now)
    case .origHeadReplaced:
      recordActivity(at: now)
      origHeadReplacedAt = now
    case .activity: recordActivity(at: now)
    case .found(let markers, let isAtWork): found(markers, isAtWork: isAtWork, at: now)
    case .recovered(let markers): recovered(markers, at: now)
    case .processEnded: processEnded(at: now)
    // The held changes are due when no more follow.
    case .removed: found([], isAtWork: false, at: now)
    }
    return false
  }

  /// Something happened in the repository's folder, where only git writes.
  mutating func recordActivity(at now: Instant) {
    activity = Activity(time: now, gap: timing.gitGap)
    hasActivitySinceTouch = true
  }

  private mutating func appeared(_ marker: GitMarker, at now: Instant) {
    if marker.isLock, lockSince == nil { isLockTouched = false }
    markers[marker] = now
    stoppedAt = nil
    expectedUntil = nil
    ignored.remove(marker)
    if !marker.isLock { recordActivity(at: now) }
  }

  /// `unusedGap` is `nil` if a lock became the file that it was for.
  private mutating func disappeared(_ marker: GitMarker, unusedGap: Duration?, at now: Instant) -> Bool {
    guard markers.removeValue(forKey: marker) != nil else { return false }
    // The files that the stash is for came back while it was there, or are about to be removed.
    if marker.isStash, !isLockTouched { expectedUntil = now + timing.gitGap }
    let wasIgnored = ignored.remove(marker) != nil
    guard let unusedGap, marker.isLock else {
      if !marker.isLock || !wasIgnored { recordActivity(at: now) }
      return false
    }
    guard touchedSince != nil, !hasActivitySinceTouch, !hasMarkers else { return false }
    activity = Activity(time: now, gap: unusedGap)
    return true
  }

  private mutating func headReplaced(at now: Instant) {
    let isCheckout = origHeadReplacedAt.map { $0 + timing.gitGap < now } ?? true
    recordActivity(at: now)
    if isCheckout { activity = Activity(time: now, gap: timing.switchGap) }
  }

  /// Adopts the markers that were found. Markers other than locks belong to a stopped command, so
  /// they hold nothing back. `isAtWork` is true if git has just created the work tree under a lock
  /// that no event reported.
  private mutating func found(_ found: Set<GitMarker>, isAtWork: Bool, at now: Instant) {
    expectedUntil = isAtWork ? now + timing.gitGap : nil
    markers = Dictionary(uniqueKeysWithValues: found.map { ($0, now) })
    ignored = found.filter { !$0.isLock }
    activity = Activity(time: now, gap: timing.gitGap)
  }

  private mutating func recovered(_ found: Set<GitMarker>, at now: Instant) {
    for marker in markers.keys where !found.contains(marker) {
      _ = disappeared(marker, unusedGap: nil, at: now)
    }
    for marker in found where markers[marker] == nil { appeared(marker, at: now) }
  }

  /// The changes are complete, and the remaining markers do not belong to a running command.
  private mutating func processEnded(at now: Instant) {
    if markers.isEmpty { return }
    stoppedAt = now
    if touchedSince == nil { ignoreMarkers() }
  }

  private mutating func ignoreMarkers() {
    ignored = Set(markers.keys)
    stoppedAt = nil
  }

  // MARK: Holding

  /// True if there is a marker that isn't ignored.
  var hasMarkers: Bool { markers.count > ignored.count }

  /// Returns true if git is at work: it has a marker, or is expected to change the work tree.
  func isAtWork(at now: Instant) -> Bool {
    hasMarkers || (expectedUntil.map { $0 > now } ?? false)
  }

  var isTouching: Bool { touchedSince != nil }

  /// Returns true if a change in git's way of writing is attributed to git.
  func isRunning(at now: Instant) -> Bool {
    isAtWork(at: now) || (touchedSince != nil && !isOver(at: now))
  }

  func wasActive(since time: Instant) -> Bool {
    activity.map { $0.time >= time } ?? false
  }

  mutating func touch(at now: Instant) {
    isLockTouched = true
    lastTouch = now
    if touchedSince != nil { return }
    touchedSince = now
    hasActivitySinceTouch = false
  }

  mutating func hold(_ path: DirtyPath, isProven: Bool, at now: Instant) {
    touch(at: now)
    held.insert(path)
    held.recordTime(touchedSince ?? now)
    if isProven { hasActivitySinceTouch = true }
  }

  /// Returns true if a change in git's way of writing that began at `time` belongs to the command:
  /// `git stash` removes files before it takes the lock.
  func covers(_ time: Instant) -> Bool {
    guard let touchedSince, let activity else { return false }
    return time >= touchedSince - timing.gitGap && time <= activity.time
  }

  func isHolding(_ path: DirtyPath) -> Bool { held.contains(path) }

  var pendingCount: Int { touchedSince == nil ? 0 : max(1, held.files.count + held.subtrees.count) }

  // MARK: The end

  /// The time at which the command is over if it shows no more activity.
  var deadline: Instant? {
    guard let touchedSince else { return nil }
    let end = touchedSince + timing.maxWait
    if let stoppedAt { return min(end, stoppedAt) }
    guard let lockSince else { return activity.map { min(end, quietEnd(after: $0)) } ?? end }
    // The lock appeared when the command was over already: it belongs to the next command or to
    // `git status`.
    if !isLockTouched, let activity, lockSince >= quietEnd(after: activity) {
      return min(end, quietEnd(after: activity))
    }
    return min(max(end, lockSince + timing.lockGrace), end + timing.lockGrace)
  }

  /// True if a command is in the middle of its work: files that are reported now continue to change.
  var isCut: Bool { lockSince != nil && isLockTouched }

  /// Returns true if the markers alone do not show whether the due command is over.
  func needsProof(at now: Instant) -> Bool {
    guard let touchedSince, !markers.isEmpty, stoppedAt == nil else { return false }
    return now >= touchedSince + timing.maxWait || markers.keys.contains { !$0.isLock }
  }

  /// Ends the session and returns the held paths. `isAtWork` is true if a process of git is at work.
  mutating func end(isAtWork: Bool, at now: Instant) -> DirtyPaths {
    if stoppedAt != nil {
      ignoreMarkers()
    } else if isAtWork {
      ignored = []
    } else {
      // A lock under which something still happens was not left behind by a crash.
      let isTouching = lastTouch.map { $0 + timing.lockGrace > now } ?? false
      ignored = Set(
        markers.filter { !$0.key.isLock || (!isTouching && $0.value + timing.lockGrace <= now) }.keys)
    }
    touchedSince = nil
    return exchange(&held, with: DirtyPaths(origin: .git))
  }

  private func isOver(at now: Instant) -> Bool {
    deadline.map { $0 <= now } ?? false
  }

  /// The time at which the newest lock appeared that is not ignored.
  private var lockSince: Instant? {
    markers.filter { $0.key.isLock && !ignored.contains($0.key) }.values.max()
  }

  /// Returns the time until which a command without a lock may be silent.
  private func quietEnd(after activity: Activity) -> Instant {
    let steps = markers.keys.filter { !$0.isLock }
    if steps.isEmpty { return activity.time + activity.gap }
    // If a stopped command continues, its ignored marker is still there. No marker distinguishes
    // that from a command that stays stopped.
    return activity.time
      + (steps.contains { $0.isStop || ignored.contains($0) } ? timing.stopGap : timing.maxWait)
  }
}
