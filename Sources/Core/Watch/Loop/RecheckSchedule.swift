/// The paths to check again later, each with its own time. Pure.
struct RecheckSchedule {
  typealias Instant = SuspendingClock.Instant

  private var times: [DirtyPath: Instant] = [:]
  /// A lower bound on the next time; `nil` if nothing is scheduled.
  private(set) var deadline: Instant?

  /// Schedules a check of each path. A path that was scheduled before gets the new time.
  mutating func schedule(_ paths: DirtyPaths, at time: Instant) {
    for file in paths.files { times[.entry(file)] = time }
    for folder in paths.subtrees { times[.subtree(folder)] = time }
    deadline = times.isEmpty ? nil : deadline.map { min($0, time) } ?? time
  }

  /// Removes and returns the paths that are due. Costs one comparison if none is, otherwise linear
  /// in the number of paths.
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
