/// Where to look: paths that may have changed since they were last read.
///
/// These are hints, not facts. A file named here may turn out unchanged, changed, gone or replaced by something else; only reading it tells.
public struct DirtyPaths: Sendable, Hashable {
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
  /// Those of `files` whose going was noticed and waited for; if nothing is there, that needs no second look. Missing elsewhere, they may be in the midst of a save.
  package var gone: Set<RelativePath> = []

  public init(files: Set<RelativePath> = [], subtrees: Set<RelativePath> = [], origin: Origin = .files) {
    self.files = files
    self.subtrees = subtrees
    self.origin = origin
  }

  public var isEmpty: Bool { files.isEmpty && subtrees.isEmpty }

  mutating func note(_ path: RelativePath, isGone: Bool) {
    if isGone { gone.insert(path) } else { gone.remove(path) }
  }

  /// Adds what `other` names. Batches of different origins make one of `.files`.
  public mutating func formUnion(_ other: DirtyPaths) {
    if other.isEmpty { return }
    origin = isEmpty || origin == other.origin ? other.origin : .files
    // The later word counts: what was gone, and was then written, may be in the midst of its next save.
    gone = gone.subtracting(other.files).union(other.gone)
    files.formUnion(other.files)
    subtrees.formUnion(other.subtrees)
  }
}

/// By what is to be looked at.
extension DirtyPaths {
  public static func == (left: DirtyPaths, right: DirtyPaths) -> Bool {
    left.files == right.files && left.subtrees == right.subtrees && left.origin == right.origin
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(files)
    hasher.combine(subtrees)
  }
}
