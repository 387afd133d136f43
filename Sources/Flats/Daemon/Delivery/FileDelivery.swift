import Files
import PlainStore
import Sinks
import SystemPackage
import Values

/// Appends the events of a list to a file, as lines of the stream.
///
/// An event is acknowledged after it is on the disk. An attempt that failed leaves neither the file
/// nor the position changed, so that it can be repeated.
struct FileDelivery {
  private let target: SinkFile
  private let root: String
  private let view: Fields
  private let log: (any DeliveryLog)?
  private let clock: @Sendable () -> Timestamp
  private var file: StreamFile
  private var encoder: StreamEncoder
  /// The list that the file has; nil before the first one.
  private(set) var list: ResultsSnapshot?
  /// The size of the file after its first list.
  private var startSize = 0
  /// True if the file is a new one, and the list at its start is not written yet.
  private var lacksStart = false
  /// The problems that the file has, by their paths.
  private var problems: [RelativePath: Problem] = [:]
  /// The reason why no new file can be begun; nil if it could, or was not necessary.
  private(set) var rotationFailure: StreamFile.Failure?

  /// The last step that the file has.
  var position: StreamPosition { encoder.position }

  /// Makes the delivery to an open file.
  ///
  /// - Parameters:
  ///   - root: The folder, as the configuration has it.
  ///   - view: The view, for the first line.
  ///   - point: The position that the file has.
  init(
    _ file: StreamFile, _ target: SinkFile, root: String, view: Fields, _ point: ResumePoint, clock: @escaping @Sendable () -> Timestamp
  ) {
    self.file = file
    self.target = target
    self.root = root
    self.view = view
    self.clock = clock
    log = point.log
    if case .resumed(let list, let position) = point.start {
      self.list = list
      encoder = StreamEncoder(at: position, tokens: point.tokens)
    } else {
      encoder = StreamEncoder(tokens: point.tokens)
    }
  }

  /// Writes the first line, then the first event: the list for a new stream, or for one that
  /// resumes what changed, and a bookmark if nothing did.
  ///
  /// - Throws: `StreamFile.Failure`. The file has to be opened again, because it may be another
  ///   one.
  mutating func begin(_ event: ResultsEvent?) throws(StreamFile.Failure) {
    // A resumed stream must follow the lines that the file had when it was opened.
    guard file.isCurrent else { throw .replaced }
    let isResuming = list != nil
    try attempt { delivery throws(Errno) in
      try delivery.file.write(delivery.encoder.hello(root: delivery.root, view: delivery.view, since: isResuming ? delivery.position : nil))
      if isResuming, event?.update == nil { try delivery.file.write(delivery.encoder.bookmark(keepsToken: true)) }
      if let event { try delivery.write(event) }
    }
    if !isResuming { startSize = file.size }
    rotateIfLarge()
  }

  /// Writes an event.
  mutating func deliver(_ event: ResultsEvent) throws(StreamFile.Failure) {
    try replaceMissingFile()
    try attempt { delivery throws(Errno) in try delivery.write(event) }
    rotateIfLarge()
  }

  // MARK: Lines

  /// Runs an attempt to write. Changes nothing if it fails.
  private mutating func attempt(_ body: (inout FileDelivery) throws(Errno) -> Void) throws(StreamFile.Failure) {
    var next = self
    do throws(Errno) {
      try file.begin()
      try body(&next)
      try file.commit()
    } catch {
      try? file.rollBack()
      throw .system(error)
    }
    let hasMoved = next.position != position
    self = next
    if hasMoved { _ = log?.acknowledge(position.token) }
  }

  private mutating func write(_ event: ResultsEvent) throws(Errno) {
    switch event {
    case .snapshot(let snapshot):
      try write(snapshot)
      try write(snapshot.problems.map(ProblemChange.raised))
    case .step(let update, let problems):
      if let update {
        let log = log
        let file = file
        var failure: Errno?
        encoder.update(update, time: clock(), willWrite: { log?.offer(update, at: $0) }) { bytes in
          FileDelivery.write(bytes, to: file, &failure)
        }
        if let failure { throw failure }
        list = update.new
      }
      try write(problems)
    }
  }

  /// Writes the list. If the file has an earlier part of the stream, its number and token stay.
  private mutating func write(_ snapshot: ResultsSnapshot) throws(Errno) {
    let (log, isFirst, file) = (log, list == nil, file)
    var failure: Errno?
    encoder.snapshot(snapshot, willEnd: { if isFirst { log?.begin(snapshot, at: $0, isAcknowledged: false) } }) { bytes in
      FileDelivery.write(bytes, to: file, &failure)
    }
    if let failure { throw failure }
    list = snapshot
  }

  private static func write(_ bytes: [UInt8], to file: StreamFile, _ failure: inout Errno?) {
    if failure != nil { return }
    do throws(Errno) { try file.write(bytes) } catch { failure = error }
  }

  private mutating func write(_ changes: [ProblemChange]) throws(Errno) {
    for change in changes {
      try file.write(StreamEncoder.problem(change))
      switch change {
      case .raised(let problem): problems[problem.path] = problem
      case .cleared(let problem): problems[problem.path] = nil
      }
    }
  }

  // MARK: Files

  /// Begins a new file if somebody moved, removed or emptied this one: with the list that the last
  /// one has, so that each file can be read alone. Without this start, nothing else is written.
  private mutating func replaceMissingFile() throws(StreamFile.Failure) {
    if !file.isCurrent {
      // It may be the same file, which somebody emptied.
      file.release()
      let found = try StreamFile(target.path)
      StreamFile.syncFolder(of: target.path)
      file = found
      lacksStart = true
    }
    guard lacksStart, let list else { return }
    try attempt { delivery throws(Errno) in
      try delivery.file.write(delivery.encoder.hello(root: delivery.root, view: delivery.view))
      try delivery.write(list)
      try delivery.write(delivery.problems.values.sorted { $0.path < $1.path }.map(ProblemChange.raised))
    }
    lacksStart = false
    startSize = file.size
  }

  /// Begins a new file if this one is large enough. A file is at least twice as large as the list
  /// at its start.
  private mutating func rotateIfLarge() {
    guard let limit = target.rotate, file.size >= max(limit, 2 * startSize), file.isCurrent else { return }
    do throws(StreamFile.Failure) {
      do throws(Errno) { try StreamFile.rotate(target.path, keeping: target.keep) } catch { throw .system(error) }
      // If the new file cannot be written now, the next event begins it.
      try replaceMissingFile()
      rotationFailure = nil
    } catch {
      rotationFailure = error
    }
  }
}
