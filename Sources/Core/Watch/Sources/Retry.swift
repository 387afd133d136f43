import Files

/// The growing delay between attempts at something that fails for a reason that may pass. Each is twice
/// the one before it, up to the last.
package struct Retry {
  private let first, last: Duration
  private var delay: Duration?

  package init(first: Duration, last: Duration) {
    self.first = first
    self.last = last
  }

  /// The delay that ``next()`` returned last; the first one if the series has not begun.
  package var current: Duration { delay ?? first }

  package mutating func next() -> Duration {
    let next = delay.map { min($0 * 2, last) } ?? first
    delay = next
    return next
  }

  package mutating func reset() {
    delay = nil
  }
}

/// The time of the next attempt at something that failed for a reason that may pass, such as too
/// many open files. Pure.
struct RetrySchedule {
  typealias Instant = SuspendingClock.Instant

  /// The delay after the first failure, and the longest one.
  static let delays = (first: Duration.seconds(1), last: Duration.seconds(60))

  private(set) var deadline: Instant?
  private var retry = Retry(first: Self.delays.first, last: Self.delays.last)
  private var lastAttempt: Instant?
  private var folders: Set<RelativePath> = []

  /// Attempts that fail one after the other are further and further apart.
  mutating func schedule(_ folder: RelativePath, at now: Instant) {
    folders.insert(folder)
    if deadline == nil {
      let isInSeries = lastAttempt.map { now - $0 < Self.delays.first } ?? false
      if !isInSeries { retry.reset() }
      deadline = now + retry.next()
    } else {
      advance(to: now + retry.current)
    }
  }

  /// Schedules an attempt after the shortest delay, for a root that is gone: the event that
  /// announces its return cannot always be watched.
  mutating func scheduleSoon(at now: Instant) {
    retry.reset()
    advance(to: now + retry.next())
  }

  /// `nil` if the attempt is not due. The set may be empty when the root is gone.
  mutating func removeDue(at now: Instant) -> Set<RelativePath>? {
    guard let deadline, deadline <= now else { return nil }
    lastAttempt = deadline
    self.deadline = nil
    defer { folders = [] }
    return folders
  }

  private mutating func advance(to time: Instant) {
    deadline = deadline.map { min($0, time) } ?? time
  }
}

/// The paths to check again later, each with its own time. Pure.
struct RecheckSchedule {
  typealias Instant = SuspendingClock.Instant

  private var times: [DirtyPath: Instant] = [:]
  /// A lower bound on the next time; `nil` if nothing is scheduled.
  private(set) var deadline: Instant?

  /// A path that was scheduled before gets the new time.
  mutating func schedule(_ paths: DirtyPaths, at time: Instant) {
    for file in paths.files { times[.entry(file)] = time }
    for folder in paths.subtrees { times[.subtree(folder)] = time }
    deadline = times.isEmpty ? nil : deadline.map { min($0, time) } ?? time
  }

  /// Costs one comparison if nothing is due, otherwise linear in the number of paths.
  mutating func removeDue(at now: Instant) -> DirtyPaths {
    var due = DirtyPaths()
    guard let deadline, deadline <= now else { return due }
    for (path, time) in times where time <= now {
      due.insert(path)
      times[path] = nil
    }
    self.deadline = times.values.min()
    return due
  }
}
