/// Places that are to be looked at later, each at a time of its own. Pure.
struct LaterLooks {
  typealias Instant = SuspendingClock.Instant

  private var times: [Place: Instant] = [:]
  /// Nothing is due before; `nil` while there is nothing to wait for.
  private(set) var deadline: Instant?

  /// A place that was scheduled already gets the new time.
  mutating func schedule(_ places: DirtyPaths, at time: Instant) {
    for file in places.files { times[.entry(file)] = time }
    for folder in places.subtrees { times[.subtree(folder)] = time }
    deadline = times.isEmpty ? nil : deadline.map { min($0, time) } ?? time
  }

  mutating func takeDue(at now: Instant) -> DirtyPaths {
    var due = DirtyPaths()
    guard let deadline, deadline <= now else { return due }
    for (place, time) in times where time <= now {
      due.insert(place)
      times[place] = nil
    }
    self.deadline = times.values.min()
    return due
  }
}
