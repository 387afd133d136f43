import Files
import Folder
import Query
import Values
import Watch

/// Dirty paths that were read but not yet published to the lists.
private struct StoreScan {
  var dirty: DirtyPaths
  /// True if nobody can be writing the files, so that no finding waits for a second read.
  let isCertain: Bool
  var changes = StoreChanges()
  var hasNewSettings = false
  var hasOnlySettings = true
  var findings: [(path: RelativePath, finding: FileFinding)] = []
  /// The files that need not be read if they still have their stamps: they were read before a git
  /// command was over, or written by a save of this store.
  var early: [RelativePath: ReadAhead.EarlyFile] = [:]

  init(_ dirty: DirtyPaths, isCertain: Bool = false) {
    self.dirty = dirty
    self.isCertain = isCertain
  }
}

extension StoreWorker {
  /// Completes the start of the worker, after the folder was read and the watch was set.
  func begin() {
    recheck(failuresIn: contents.model.problems.map { ($0, .problem($1)) })
    // The settings were read before the watch was set, so a change since then has no event.
    scan(DirtyPaths(files: [PathRules.settingsPath]))
    if let interval = options.auditInterval { watch?.scheduleTick(after: interval) }
  }

  /// Reads dirty paths and gives the lists what changed, as one step.
  ///
  /// - Parameters:
  ///   - isCertain: True if nobody can be writing the files, so that no finding waits for a second
  ///     read.
  ///   - early: The files that are known as they were written.
  func scan(_ dirty: DirtyPaths, isCertain: Bool = false, early: [RelativePath: ReadAhead.EarlyFile] = [:]) {
    if dirty.isEmpty { return }
    var scan = StoreScan(dirty, isCertain: isCertain)
    scan.early = early
    read(&scan)
    publish(scan)
  }

  /// Reads a batch of the watch and gives the lists what changed, as one step.
  ///
  /// If a git command changes the paths while they are read, this waits for its end, at most for
  /// `WatchOptions.maxWait`. It then reads all changes of the command in the same step, so that no
  /// list shows half of them.
  func scan(_ dirty: DirtyPaths, following watch: DirectoryWatcher) async {
    if dirty.isEmpty { return }
    let end = ContinuousClock.now + options.watch.maxWait
    var scan = StoreScan(dirty)
    read(&scan)
    while ContinuousClock.now < end, let more = await watch.batch(overtaking: scan.dirty) {
      scan.dirty.formUnion(more)
      scan.early = scan.early.filter { scan.dirty.early.contains($0.key) }
      read(&scan)
    }
    publish(scan)
  }

  private func read(_ scan: inout StoreScan) {
    let isOnlySettings = scan.dirty.subtrees.isEmpty && scan.dirty.files == [PathRules.settingsPath]
    scan.hasOnlySettings = scan.hasOnlySettings && (isOnlySettings || scan.dirty.isEmpty)
    if scan.dirty.files.remove(PathRules.settingsPath) != nil || scan.dirty.subtrees.contains(.root) {
      readSettings(&scan)
    }
    // The first scan that can open and list the root clears the root's own problem.
    if contents.model.isBroken(.root) { scan.dirty.subtrees.insert(.root) }
    let early = readAhead.consume(scan.dirty)
    if scan.early.isEmpty { scan.early = early } else { scan.early.merge(early) { $1 } }
    if let (path, text) = ownText, scan.early[path] == nil, scan.dirty.files.contains(path),
      let fields = try? text.fields.get()
    {
      scan.early[path] = ReadAhead.EarlyFile(stamp: .none, fields: fields, bytes: text.bytes)
    }
    scan.findings = reader.findings(
      of: contents.plan(scan.dirty, root: location, named: root, early: scan.early), root: location,
      named: root)
  }

  private func publish(_ scan: StoreScan) {
    let (certain, unconfirmed) = unconfirmed.split(
      scan.findings, of: scan.dirty, knowing: contents, mayWait: watch != nil && !scan.isCertain)
    secondReads = scan.dirty.subtrees.contains(.root) ? [] : secondReads.subtracting(scan.dirty.files)
    readAgain(unconfirmed)
    recheck(failuresIn: scan.findings)
    var changes = scan.changes
    changes.formUnion(contents.apply(certain))
    readAgain(contents.consumeReadable())
    let isView = scan.hasNewSettings && (scan.hasOnlySettings || changes.ids.isEmpty)
    let origin: ResultsUpdate.Origin = isView ? .view : scan.dirty.origin == .git ? .git : .files
    let (state, lists) = published.publish(contents.state)
    let isRescan = scan.dirty.isRescan || scan.dirty.subtrees.contains(.root)
    let cause: ResultsUpdate.Cause? = isRescan && !isView ? .rescanned : nil
    let step = StoreStep(
      state: state, changes: changes, origin: origin, cause: cause, since: scan.dirty.since)
    for list in lists { list.update(with: step) }
    if !changes.ids.isEmpty { options.onItemsRead(changes.ids) }
  }

  /// Asks the watch to report files again when they are complete.
  private func readAgain(_ paths: some Collection<RelativePath>) {
    guard let watch else { return }
    secondReads.formUnion(paths)
    for path in paths { watch.recheck(path) }
  }

  /// Asks the watch to report again, later, the paths that the system could not read.
  private func recheck(failuresIn findings: [(path: RelativePath, finding: FileFinding)]) {
    guard let watch else { return }
    let rules = contents.rules
    let again = retries.update(with: findings) { $0 == PathRules.settingsPath || rules.format(of: $0) != nil }
    for (delay, places) in again { watch.recheck(places, after: delay) }
  }

  // MARK: Settings

  /// Reads the settings again. If they changed, adds the paths that must therefore be read to
  /// `scan.dirty`.
  private func readSettings(_ scan: inout StoreScan) {
    let old = contents.settings
    do throws(Problem) {
      let file = try SettingsFile.read(in: location, named: root, limits: options.limits)
      recheck(failuresIn: [(PathRules.settingsPath, .missing)])
      if let file { scan.changes.formUnion(try adopt(file)) }
    } catch {
      recheck(failuresIn: [(error.path, .problem(error))])
      scan.changes.formUnion(contents.apply([(error.path, .problem(error))]))
    }
    let new = contents.settings
    // Other patterns may include other files. With other id fields, files that had no id may have
    // one.
    if new.ignore != old.ignore || new.idFields != old.idFields { scan.dirty.subtrees = [.root] }
    // A new filter sets every watch again.
    if new.ignore != old.ignore { watch?.setFilter(contents.rules.watchFilter) }
    if new != old { scan.hasNewSettings = true }
  }

  /// Adopts settings that every list can show.
  ///
  /// - Throws: The problem of the first list that cannot show them. The old settings then stay.
  private func adopt(_ file: SettingsFile) throws(Problem) -> StoreChanges {
    let settings = file.settings.keepingViews(of: contents.settings)
    var asked = published.lists
    for list in asked { try list.check(settings, of: file) }
    let isNew = settings != contents.settings
    if isNew {
      // A list that was made in the meantime must accept them, too.
      while case let others = published.publish(settings, acceptedBy: asked), !others.isEmpty {
        for list in others { try list.check(settings, of: file) }
        asked += others
      }
    }
    var changes = contents.apply([(PathRules.settingsPath, file.viewProblem.map { .problem($0) } ?? .missing)]
    )
    if isNew { changes.formUnion(contents.adopt(settings)) }
    return changes
  }
}

/// Decides which findings wait for a second read. Pure.
///
/// A good file that is found broken, empty or missing may be in the middle of a save whose last
/// event has not come yet. It is read again before that is a problem or a deletion.
struct UnconfirmedFindings: Sendable {
  typealias Findings = [(path: RelativePath, finding: FileFinding)]

  /// The paths whose second read is due.
  private var paths: Set<RelativePath> = []

  /// Splits the findings of one scan.
  ///
  /// - Parameter mayWait: False if no program can be writing the files, or if no watch would report them
  ///   again.
  /// - Returns: The findings that count, and the paths to read again.
  mutating func split(
    _ findings: Findings, of dirty: DirtyPaths, knowing contents: StoreContents, mayWait: Bool
  ) -> (certain: Findings, unconfirmed: [RelativePath]) {
    var unconfirmed: [RelativePath] = []
    let certain = findings.filter { path, finding in
      let isSecondRead = paths.remove(path) != nil
      guard mayWait, !isSecondRead, UnconfirmedFindings.isTransient(finding, at: path, of: dirty, contents)
      else { return true }
      paths.insert(path)
      unconfirmed.append(path)
      return false
    }
    return (certain, unconfirmed)
  }

  private static func isTransient(
    _ finding: FileFinding, at path: RelativePath, of dirty: DirtyPaths, _ contents: StoreContents
  ) -> Bool {
    switch finding {
    case .problem: contents.model.stamp(of: path) != nil
    // Below a folder that is scanned completely, no event named the file itself.
    case .missing:
      dirty.files.contains(path) && !dirty.gone.contains(path) && contents.model.hasItem(at: path)
        && contents.rules.reaches(path)
    // Markdown may be empty, but programs that save also empty a file first. git does not.
    case .item(let stamp, _):
      dirty.origin != .git && stamp.size == 0 && contents.model.stamp(of: path).map { $0.size > 0 } == true
    case .unchanged, .tooExpanded: false
    }
  }
}

/// The delays before the next attempt to read each path that the system could not read. Pure.
struct RetryDelays: Sendable {
  /// The delay after the first failure and the longest one. A shortage is often over at once, and a
  /// broken disk must not be read too often.
  static let first = Duration.milliseconds(250)
  static let last = Duration.seconds(60)

  private var retries: [RelativePath: Retry] = [:]

  /// Updates the delays with the findings of one scan, in any order.
  ///
  /// - Parameter isFile: Returns true for the path of a file, false for that of a folder.
  /// - Returns: The paths to read again, by their delays.
  mutating func update(
    with findings: some Sequence<(path: RelativePath, finding: FileFinding)>, isFile: (RelativePath) -> Bool
  ) -> [Duration: DirtyPaths] {
    var again: [Duration: DirtyPaths] = [:]
    for (path, finding) in findings {
      guard case .problem(let problem) = finding, problem.isTransient else {
        if !retries.isEmpty { retries[path] = nil }
        continue
      }
      let delay = retries[path, default: Retry(first: RetryDelays.first, last: RetryDelays.last)].next()
      if isFile(path) {
        again[delay, default: DirtyPaths()].files.insert(path)
      } else {
        again[delay, default: DirtyPaths()].subtrees.insert(path)
      }
    }
    return again
  }
}
