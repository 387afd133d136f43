import StateStore
import Store
import Streams
import SystemPackage

/// Appends the events of a list to a file, as lines of the stream.
///
/// An event is acknowledged after it is on the disk. An attempt that failed leaves neither the file
/// nor the position changed, so that it can be repeated.
struct FileDelivery {
  private let target: SinkFile
  private let view: Fields
  private let log: (any DeliveryLog)?
  private var file: StreamFile
  private var writer: StreamWriter
  /// The size of the file after its first list.
  private var startSize = 0
  /// True if the file is a new one, and the list at its start is not written yet.
  private var lacksStart = false
  private var problems: [RelativePath: Problem] = [:]
  /// The reason why no new file can be begun; nil if it could, or was not necessary.
  private(set) var rotationFailure: StateError?

  var position: StreamPosition { writer.position }
  /// The list that the file has; nil before the first one.
  var list: ListSnapshot<Item>? { writer.list }

  init(
    _ file: StreamFile, _ target: SinkFile, root: String, view: Fields, _ point: ResumePoint,
    _ tokens: TokenSource,
    clock: @escaping @Sendable () -> Timestamp
  ) {
    self.file = file
    self.target = target
    self.view = view
    log = point.state
    // A file whose position is gone begins again, without a line about it: the log has one.
    var start = point.start
    if case .gone = start { start = .new }
    // Lines are acknowledged here, once they are on the disk.
    writer = StreamWriter(start, root: root, tokens: tokens, log: log, readerAcknowledges: true, clock: clock)
  }

  /// Writes the first line, then the first event: the list for a new stream, or what changed for one that
  /// resumes, and a bookmark if nothing did. After an error the file must be opened again: it may have been
  /// replaced.
  mutating func begin(_ event: ListEvent?) throws(StateError) {
    // A resumed stream must follow the lines that the file had when it was opened.
    guard file.isCurrent else { throw .refused("it was moved, removed or emptied") }
    let isResuming = list != nil
    try write { [view] in $0.begin(view: view, event) }
    if let event { apply(event) }
    if !isResuming { startSize = file.size }
    rotateIfLarge()
  }

  mutating func deliver(_ event: ListEvent) throws(StateError) {
    try replaceMissingFile()
    try write { $0.add(event) }
    apply(event)
    rotateIfLarge()
  }

  /// Writes lines, and brings them to the disk. Changes nothing if that fails.
  private mutating func write(_ add: (inout StreamWriter) -> Void) throws(StateError) {
    var next = writer
    do throws(Errno) {
      try file.begin()
      add(&next)
      try next.write { bytes throws(Errno) in try file.write(bytes) }
      try file.commit()
    } catch {
      try? file.rollBack()
      throw StateError(error)
    }
    let hasMoved = next.position != position
    writer = next
    if hasMoved { _ = log?.acknowledge(position.token) }
  }

  private mutating func apply(_ event: ListEvent) {
    for change in event.problemChanges {
      switch change {
      case .raised(let problem): problems[problem.path] = problem
      case .cleared(let problem): problems[problem.path] = nil
      }
    }
  }

  // MARK: Files

  /// Begins a new file if somebody moved, removed or emptied this one: with the list that the last
  /// one has, so that each file can be read alone. Without this start, nothing else is written.
  private mutating func replaceMissingFile() throws(StateError) {
    if !file.isCurrent {
      // It may be the same file, which somebody emptied.
      file.release()
      let found = try StreamFile(target.path)
      StreamFile.syncFolder(of: target.path)
      file = found
      lacksStart = true
    }
    guard lacksStart, list != nil else { return }
    try write { [view, problems] in $0.repeatStart(view: view, problems.values.sorted { $0.path < $1.path }) }
    lacksStart = false
    startSize = file.size
  }

  /// Begins a new file if this one is large enough. A file is at least twice as large as the list
  /// at its start.
  private mutating func rotateIfLarge() {
    guard let limit = target.rotate, file.size >= max(limit, 2 * startSize), file.isCurrent else { return }
    do throws(StateError) {
      do throws(Errno) { try StreamFile.rotate(target.path, keeping: target.keep) } catch {
        throw StateError(error)
      }
      // If the new file cannot be written now, the next event begins it.
      try replaceMissingFile()
      rotationFailure = nil
    } catch {
      rotationFailure = error
    }
  }
}

extension ListEvent {
  var problemChanges: [ProblemChange] {
    switch self {
    case .snapshot(let list): list.problems.map(ProblemChange.raised)
    case .step(_, let problems): problems
    }
  }
}
