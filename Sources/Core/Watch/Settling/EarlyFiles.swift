import Files

/// The files that a running git command has completed, so that they can be read before the command
/// is over. Pure.
///
/// A file that changes after it was reported is no longer early: it may have been read too soon.
struct EarlyFiles {
  /// A report costs the receiver a thread's wake-up, so files are reported in groups of at least
  /// this many. Fewer are not worth reading early.
  static let groupSize = 8

  /// The files that are complete and not reported yet.
  private var new: Set<RelativePath> = []
  /// The files that were reported and have not changed since.
  private var reported: Set<RelativePath> = []

  mutating func complete(_ file: RelativePath) {
    new.insert(file)
  }

  /// Records a change of a path. It comes before ``complete(_:)`` if the change completes the file.
  mutating func change(_ path: DirtyPath) {
    if new.isEmpty, reported.isEmpty { return }
    switch path {
    case .entry(let file):
      new.remove(file)
      reported.remove(file)
    case .subtree: removeAll()
    }
  }

  /// Forgets all files, because changes may have been missed.
  mutating func removeAll() {
    new = []
    reported = []
  }

  /// Returns the files to report now; none if they are few.
  mutating func report() -> Set<RelativePath> {
    if new.count < Self.groupSize { return [] }
    defer { new = [] }
    reported.formUnion(new)
    return new
  }

  /// Forgets the files of a batch, and returns those that were reported and have not changed since.
  mutating func end(_ files: Set<RelativePath>) -> Set<RelativePath> {
    if new.isEmpty, reported.isEmpty { return [] }
    let early = reported.intersection(files)
    new.subtract(files)
    reported.subtract(files)
    return early
  }
}
