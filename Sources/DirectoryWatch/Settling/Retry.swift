/// When to look again at what failed for a passing reason, such as too many open files. Pure.
struct Retry {
  typealias Instant = SuspendingClock.Instant

  /// The first wait; each further one in a row is twice as long, up to the last.
  static let delays = (first: Duration.seconds(1), last: Duration.seconds(60))

  private(set) var at: Instant?
  private var delay = Self.delays.first
  private var lastTaken: Instant?
  private var folders: Set<RelativePath> = []

  /// `nil` for the root that is gone: it is looked for at the shortest distance, since what announces it cannot always be watched.
  mutating func schedule(_ folder: RelativePath?, at now: Instant) {
    if let folder { folders.insert(folder) }
    if folder == nil {
      delay = Self.delays.first
    } else if at == nil {
      let isInRow = lastTaken.map { now - $0 < Self.delays.first } ?? false
      delay = isInRow ? min(delay * 2, Self.delays.last) : Self.delays.first
    }
    let next = now + delay
    at = at.map { min($0, next) } ?? next
  }

  mutating func take() -> Set<RelativePath> {
    lastTaken = at
    at = nil
    defer { folders = [] }
    return folders
  }
}
