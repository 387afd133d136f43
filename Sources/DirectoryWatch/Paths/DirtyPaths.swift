/// Where to look: paths that may have changed since they were last read.
///
/// These are hints, not facts. A file named here may turn out unchanged, changed, gone or replaced by something else; only reading it tells.
public struct DirtyPaths: Sendable {
  /// Who made the change.
  public enum Origin: Sendable, Hashable {
    /// An editor, a program, a person.
    case files
    /// A git command that changed the work tree; the batch is all that it did there.
    case git
  }

  /// Entries to look at, one by one.
  public var files: Set<RelativePath>
  /// Folders below which everything is to be listed and looked at again; the root stands for all there is. A folder named here may be gone.
  public var subtrees: Set<RelativePath>
  public var origin: Origin
  /// When the first of these changes was noticed; `nil` where there is none.
  public var since: SuspendingClock.Instant?
  /// Whether a time has come that ``DirectoryWatcher/remind(after:)`` asked for. Every change that was noticed before is in this batch or in an earlier one.
  public var isReminder = false
  /// Those of `files` whose going was noticed and waited for; if nothing is there, that needs no second look. Missing elsewhere, they may be in the midst of a save.
  package var gone: Set<RelativePath> = []

  public init(files: Set<RelativePath> = [], subtrees: Set<RelativePath> = [], origin: Origin = .files) {
    self.files = files
    self.subtrees = subtrees
    self.origin = origin
  }

  /// Whether there is nothing to do: no place to look at, and no reminder.
  public var isEmpty: Bool { namesNothing && !isReminder }

  private var namesNothing: Bool { files.isEmpty && subtrees.isEmpty }

  /// Whether something is named by both, or lies below what the other names. Linear, times the number of subtrees.
  func overlaps(_ other: DirtyPaths) -> Bool {
    !files.isDisjoint(with: other.files) || covers(other) || other.covers(self)
  }

  private func covers(_ other: DirtyPaths) -> Bool {
    subtrees.contains { top in
      other.subtrees.contains { $0 == top || $0.isBelow(top) } || other.files.contains { $0.isBelow(top) }
    }
  }

  mutating func note(_ path: RelativePath, isGone: Bool) {
    if isGone { gone.insert(path) } else { gone.remove(path) }
  }

  /// Adds what `other` names. Batches of different origins make one of `.files`.
  public mutating func formUnion(_ other: DirtyPaths) {
    // The later word counts: what was gone, and was then written, may be in the midst of its next save.
    gone = gone.subtracting(other.files).union(other.gone)
    if !other.namesNothing { origin = namesNothing || origin == other.origin ? other.origin : .files }
    files.formUnion(other.files)
    subtrees.formUnion(other.subtrees)
    isReminder = isReminder || other.isReminder
    if let earlier = other.since { note(since: earlier) }
  }

  mutating func note(since time: SuspendingClock.Instant) {
    since = since.map { min($0, time) } ?? time
  }
}

/// By what is to be looked at.
extension DirtyPaths: Hashable {
  public static func == (left: DirtyPaths, right: DirtyPaths) -> Bool {
    left.files == right.files && left.subtrees == right.subtrees && left.origin == right.origin && left.isReminder == right.isReminder
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(files)
    hasher.combine(subtrees)
  }
}
