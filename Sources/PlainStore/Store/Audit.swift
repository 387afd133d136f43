import DirectoryWatch
import LinuxFiles

/// One comparison of everything that is known with what is there, to find what no event told. Pure: it says what to look at next, and is told what was found.
///
/// First each folder is listed, for files that nobody knows; then each known file is looked at, without being opened. Both go in slices with a pause in between, so that an
/// audit of any size is no load. What is otherwise than it is known to be is only suspected: it may be an edit in flight, whose event is on its way. It counts if, a while later,
/// it is still as it was seen and still not known.
struct Audit: Sendable {
  /// Files and folders in one slice: about two milliseconds' worth of calls.
  static let sliceSize = 1_000
  /// Between two slices: at most a fiftieth of the time is spent on them.
  static let pause = Duration.milliseconds(100)
  /// How long what is suspected must stay as it is: many times what any event takes to be heard.
  static let patience = Duration.seconds(2)

  enum Step: Sendable, Equatable {
    case list([RelativePath])
    case compare([RelativePath])
    /// Whether these still are what they were seen to be; `nil` is gone.
    case confirm([RelativePath: FileStamp?])
  }

  private var folders: [RelativePath] = [.root]
  private var paths: ArraySlice<RelativePath>
  private var suspects: [RelativePath: FileStamp?] = [:]

  init(known paths: some Sequence<RelativePath>) {
    self.paths = ArraySlice(paths)
  }

  /// What to do next; nil when it is over.
  mutating func next() -> Step? {
    if !folders.isEmpty { return .list(take(&folders)) }
    if !paths.isEmpty { return .compare(take(&paths)) }
    if suspects.isEmpty { return nil }
    defer { suspects = [:] }
    return .confirm(suspects)
  }

  /// When to do that.
  var delay: Duration { folders.isEmpty && paths.isEmpty ? Audit.patience : Audit.pause }

  var isOver: Bool { folders.isEmpty && paths.isEmpty && suspects.isEmpty }

  mutating func found(folders: [RelativePath]) {
    self.folders += folders
  }

  mutating func suspect(_ path: RelativePath, as stamp: FileStamp?) {
    suspects[path] = .some(stamp)
  }

  private func take<Paths: RangeReplaceableCollection & BidirectionalCollection>(_ paths: inout Paths) -> [RelativePath]
  where Paths.Element == RelativePath {
    let slice = Array(paths.suffix(Audit.sliceSize))
    paths.removeLast(slice.count)
    return slice
  }
}
