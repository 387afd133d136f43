public import Files

/// Paths that may have changed since they were last read.
///
/// They are hints, not facts: a file named here may be unchanged, changed, deleted or replaced.
/// Read it to find out.
public struct DirtyPaths: Sendable {
  /// The cause of a change.
  public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// An editor, a program or a person.
    public static let files = Origin(description: "files")
    /// A git command. The batch holds everything that it changed in the work tree.
    public static let git = Origin(description: "git")

    /// The name of the origin, such as `git`.
    public let description: String
  }

  /// The entries to read again.
  public var files: Set<RelativePath>
  /// The folders to list and read again with everything below them. ``RelativePath/root`` means the
  /// complete watched folder. A folder named here may be deleted.
  public var subtrees: Set<RelativePath>
  /// The cause of the changes.
  public var origin: Origin
  /// The time at which the first of these changes was observed; `nil` if nothing was observed.
  public var since: SuspendingClock.Instant?
  /// The members of `files` whose deletion was observed and outlived its grace period. If one is
  /// missing now, it is gone. Any other file that is missing may be in the middle of a save.
  package var gone: Set<RelativePath> = []
  /// The members of `files` that ``WatchOptions/onEarlyFiles`` received, and that have not changed since.
  /// If a file was read then, and still has the stamp that it had, it need not be read again.
  package var early: Set<RelativePath> = []
  /// True if the paths must be read again on request, or because events were lost.
  package var isRescan = false

  /// Creates a batch from paths.
  public init(files: Set<RelativePath> = [], subtrees: Set<RelativePath> = [], origin: Origin = .files) {
    self.files = files
    self.subtrees = subtrees
    self.origin = origin
  }

  /// True if the batch names no path.
  public var isEmpty: Bool { files.isEmpty && subtrees.isEmpty }

  /// Adds the paths of `other`, which is the later batch. If the origins differ, the result has the
  /// origin ``Origin/files``.
  public mutating func formUnion(_ other: DirtyPaths) {
    // The later batch decides: a file that was gone and then written may be in the middle of its next save.
    gone = gone.subtracting(other.files).union(other.gone)
    early = early.subtracting(other.files).union(other.early)
    if !other.isEmpty { origin = isEmpty || origin == other.origin ? other.origin : .files }
    files.formUnion(other.files)
    subtrees.formUnion(other.subtrees)
    isRescan = isRescan || other.isRescan
    if let earlier = other.since { recordTime(earlier) }
  }

  mutating func recordTime(_ time: SuspendingClock.Instant) {
    since = since.map { min($0, time) } ?? time
  }

  /// Returns true if both batches name a path, or one names a path below a subtree of the other.
  /// Linear in the number of paths times the number of subtrees.
  func overlaps(_ other: DirtyPaths) -> Bool {
    !files.isDisjoint(with: other.files) || covers(other) || other.covers(self)
  }

  private func covers(_ other: DirtyPaths) -> Bool {
    subtrees.contains { top in
      other.subtrees.contains { $0 == top || $0.isBelow(top) } || other.files.contains { $0.isBelow(top) }
    }
  }
}

extension DirtyPaths: Hashable {
  /// Returns true if both name the same paths and have the same origin. The times do not count.
  public static func == (left: DirtyPaths, right: DirtyPaths) -> Bool {
    left.files == right.files && left.subtrees == right.subtrees && left.origin == right.origin
  }

  /// Hashes the paths.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(files)
    hasher.combine(subtrees)
  }
}

extension DirtyPaths: CustomStringConvertible {
  private static let maxNames = 20

  /// The files, the folders with a `/`, and git if it is the origin, shortened if long: `a.md notes/ (git)`.
  public var description: String {
    let names = files.sorted().map(\.description) + subtrees.sorted().map { "\($0)/" }
    if names.isEmpty { return "nothing" }
    let more = names.count > DirtyPaths.maxNames ? " and \(names.count - DirtyPaths.maxNames) more" : ""
    return names.prefix(DirtyPaths.maxNames).joined(separator: " ") + more + (origin == .git ? " (git)" : "")
  }
}

/// The unit that settles: one entry, or everything below a folder.
enum DirtyPath: Hashable {
  case entry(RelativePath)
  case subtree(RelativePath)
}

extension DirtyPaths {
  mutating func insert(_ path: DirtyPath) {
    switch path {
    case .entry(let path): files.insert(path)
    case .subtree(let path): subtrees.insert(path)
    }
  }

  func contains(_ path: DirtyPath) -> Bool {
    switch path {
    case .entry(let path): files.contains(path)
    case .subtree(let path): subtrees.contains(path)
    }
  }
}
