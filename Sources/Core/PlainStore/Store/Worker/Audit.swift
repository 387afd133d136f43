import Files

/// One comparison of everything in the store with the disk, to find changes that no event reported.
/// Pure: it returns the next step, and is given what was found.
///
/// First it lists each folder to find unknown files; then it reads the stamp of each known file,
/// without opening it. Both go in slices with a pause between them, so that an audit of any size
/// puts no load on the machine. A file that differs is only a suspect: it may be an edit whose
/// event is on its way. It counts if it has the same stamp some time later and the store still does
/// not know it.
struct Audit: Sendable {
  /// The number of files or folders in one slice: about two milliseconds of system calls.
  static let sliceSize = 1_000
  /// The pause between two slices. At most a fiftieth of the time is spent on slices.
  static let pause = Duration.milliseconds(100)
  /// The time for which a suspect must keep its stamp: many times what any event takes to arrive.
  static let confirmationDelay = Duration.seconds(2)

  /// Something to read from the disk.
  enum Step: Sendable, Equatable {
    /// List these folders.
    case list([RelativePath])
    /// Compare the stamps of these files with the known ones.
    case compare([RelativePath])
    /// Check that these files still have these stamps; nil is the stamp of a missing file.
    case confirm([RelativePath: FileStamp?])
  }

  private var folders: [RelativePath] = [.root]
  private var paths: ArraySlice<RelativePath>
  private var suspects: [RelativePath: FileStamp?] = [:]

  init(known paths: some Sequence<RelativePath>) {
    self.paths = ArraySlice(paths)
  }

  /// Returns the next step; nil when the audit is over.
  mutating func next() -> Step? {
    if !folders.isEmpty { return .list(slice(of: &folders)) }
    if !paths.isEmpty { return .compare(slice(of: &paths)) }
    if suspects.isEmpty { return nil }
    defer { suspects = [:] }
    return .confirm(suspects)
  }

  /// The delay before the next step.
  var delay: Duration { folders.isEmpty && paths.isEmpty ? Audit.confirmationDelay : Audit.pause }

  var isOver: Bool { folders.isEmpty && paths.isEmpty && suspects.isEmpty }

  /// Adds folders that a listing found.
  mutating func add(folders: [RelativePath]) {
    self.folders += folders
  }

  /// Adds a file that differs from the store.
  mutating func suspect(_ path: RelativePath, as stamp: FileStamp?) {
    suspects[path] = .some(stamp)
  }

  /// Removes and returns the last elements, as many as one slice has.
  private func slice<Paths: RangeReplaceableCollection & BidirectionalCollection>(of paths: inout Paths)
    -> [RelativePath]
  where Paths.Element == RelativePath {
    let slice = Array(paths.suffix(Audit.sliceSize))
    paths.removeLast(slice.count)
    return slice
  }
}
