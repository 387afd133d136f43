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

  public init(files: Set<RelativePath> = [], subtrees: Set<RelativePath> = [], origin: Origin = .files) {
    self.files = files
    self.subtrees = subtrees
    self.origin = origin
  }

  public var isEmpty: Bool { files.isEmpty && subtrees.isEmpty }

  /// Whether something is named by both, or lies below what the other names. Linear, times the number of subtrees.
  func overlaps(_ other: DirtyPaths) -> Bool {
    !files.isDisjoint(with: other.files) || covers(other) || other.covers(self)
  }

  private func covers(_ other: DirtyPaths) -> Bool {
    subtrees.contains { top in
      other.subtrees.contains { $0 == top || $0.isBelow(top) } || other.files.contains { $0.isBelow(top) }
    }
  }

  /// Adds what `other` names. Batches of different origins make one of `.files`.
  public mutating func formUnion(_ other: DirtyPaths) {
    if other.isEmpty { return }
    origin = isEmpty || origin == other.origin ? other.origin : .files
    files.formUnion(other.files)
    subtrees.formUnion(other.subtrees)
  }
}
