/// The audit's part of the worker. It continues when everything that was noticed before has been read.
extension StoreWorker {
  /// Does the audit's next step, and asks the watch for a tick for the one after it.
  func continueAudit() {
    guard let watch, let interval = options.auditInterval else { return }
    // Polling already compares everything, so it needs no audit.
    if watch.counters.isPolling {
      audit = nil
      return watch.scheduleTick(after: interval)
    }
    var current = audit ?? Audit(known: contents.model.knownPaths)
    audit = nil
    if let step = current.next() { perform(step, of: &current) }
    if current.isOver { published.countAudit() }
    watch.scheduleTick(after: current.isOver ? interval : current.delay)
    audit = current.isOver ? nil : current
  }

  private func perform(_ step: Audit.Step, of audit: inout Audit) {
    switch step {
    case .list(let folders): for folder in folders { list(folder, for: &audit) }
    case .compare(let paths):
      // A root that is gone or cannot be opened is reported by the watch.
      guard let folder = try? OpenFolder(location) else { return }
      for path in paths {
        // A path with a problem has no known stamp to compare with.
        guard let known = contents.model.stamp(of: path), let found = folder.foundStamp(of: path),
          found != known
        else { continue }
        audit.suspect(path, as: found)
      }
    case .confirm(let suspects): confirm(suspects)
    }
  }

  private func list(_ folder: RelativePath, for audit: inout Audit) {
    let filter = contents.rules.watchFilter
    let oneLevel = WatchFilter(
      includesDirectory: { _ in false },
      includesFile: { filter.includesFile($0) || filter.includesDirectory($0) })
    guard let listing = try? DirectoryScan.scan(root: location, below: folder, filter: oneLevel),
      let root = try? OpenFolder(location)
    else {
      return
    }
    audit.add(
      folders: listing.entries.filter { $0.kind == .directory && filter.includesDirectory($0.path) }.map(
        \.path))
    for entry in listing.entries where entry.path != PathRules.settingsPath && filter.includesFile(entry.path)
    {
      if !contents.model.knows(entry.path), let found = root.foundStamp(of: entry.path) {
        audit.suspect(entry.path, as: found)
      }
    }
  }

  private func confirm(_ suspects: [RelativePath: FileStamp?]) {
    guard let folder = try? OpenFolder(location) else { return }
    let confirmed = suspects.filter { path, stamp in
      guard let found = folder.foundStamp(of: path) else { return false }
      return found == stamp && found != contents.model.stamp(of: path)
    }
    if confirmed.isEmpty { return }
    let before = confirmed.keys.map { ($0, contents.model.knowledge(of: $0)) }
    var dirty = DirtyPaths(files: Set(confirmed.keys))
    dirty.isRescan = true
    scan(dirty, isCertain: true)
    let model = contents.model
    let missed = before.count { path, knowledge in
      // A file that has been edited since isn't the confirmed one any more.
      model.knowledge(of: path) != knowledge
        && (model.stamp(of: path) == confirmed[path] || model.isBroken(path))
    }
    published.countMissedChanges(missed)
  }
}

extension OpenFolder {
  /// Returns the stamp at a path: `.some(nil)` if nothing is there, nil if that cannot be read.
  fileprivate func foundStamp(of path: RelativePath) -> FileStamp?? {
    do throws(Problem) { return .some(try stamp(of: path)) } catch { return nil }
  }
}

/// One comparison of everything in the store with the disk, to find changes that no event reported.
/// Pure: it returns the next step, and is given what was found.
///
/// First it lists each folder to find unknown files; then it reads the stamp of each known file, without
/// opening it. Both go in slices with a pause between them, so that an audit of any size puts no load on the
/// machine. A file that differs is only a suspect: it may be an edit whose event is on its way. It counts if
/// it has the same stamp some time later and the store still does not know it.
struct Audit {
  /// The number of files or folders in one slice: about two milliseconds of system calls.
  static let sliceSize = 1_000
  /// The pause between two slices. At most a fiftieth of the time is spent on slices.
  static let pause = Duration.milliseconds(100)
  /// The time for which a suspect must keep its stamp: many times what any event takes to arrive.
  static let confirmationDelay = Duration.seconds(2)

  enum Step: Equatable {
    case list([RelativePath])
    case compare([RelativePath])
    /// Check that these files still have these stamps; nil is the stamp of a missing file.
    case confirm([RelativePath: FileStamp?])
  }

  private var folders: ArraySlice<RelativePath> = [.root]
  private var paths: ArraySlice<RelativePath>
  private var suspects: [RelativePath: FileStamp?] = [:]

  init(known paths: some Sequence<RelativePath>) {
    self.paths = ArraySlice(paths)
  }

  mutating func next() -> Step? {
    if !folders.isEmpty { return .list(slice(of: &folders)) }
    if !paths.isEmpty { return .compare(slice(of: &paths)) }
    if suspects.isEmpty { return nil }
    defer { suspects = [:] }
    return .confirm(suspects)
  }

  var delay: Duration { folders.isEmpty && paths.isEmpty ? Audit.confirmationDelay : Audit.pause }

  var isOver: Bool { folders.isEmpty && paths.isEmpty && suspects.isEmpty }

  mutating func add(folders: [RelativePath]) {
    self.folders += folders
  }

  mutating func suspect(_ path: RelativePath, as stamp: FileStamp?) {
    suspects[path] = .some(stamp)
  }

  private func slice(of paths: inout ArraySlice<RelativePath>) -> [RelativePath] {
    let slice = Array(paths.suffix(Audit.sliceSize))
    paths.removeLast(slice.count)
    return slice
  }
}
