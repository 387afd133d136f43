import DirectoryWatch
import PlainText
import Synchronization

/// The audit's looks at the disk. They are made by the task that looks at dirty paths, when all that was noticed before has been looked at.
extension ItemStore {
  /// Does what the audit has to do now, and asks to be called for what comes next.
  func goOn(with audit: inout Audit?) {
    guard let watch, let interval = options.auditInterval else { return }
    // Polling is an audit of its own.
    if watch.counters.isPolling {
      audit = nil
      return watch.scheduleTick(after: interval)
    }
    var current = audit ?? Audit(known: state.withLock { $0.contents.model.knownPaths })
    if let step = current.next() { take(step, of: &current) }
    if current.isOver { state.withLock { $0.audits += 1 } }
    watch.scheduleTick(after: current.isOver ? interval : current.delay)
    audit = current.isOver ? nil : current
  }

  private func take(_ step: Audit.Step, of audit: inout Audit) {
    switch step {
    case .list(let folders): for folder in folders { list(folder, for: &audit) }
    case .compare(let paths):
      // A root that is gone or cannot be opened is told of otherwise.
      guard let folder = OpenFolder(location) else { return }
      let model = state.withLock { $0.contents.model }
      for path in paths {
        // Where the path has a problem nothing is known to compare with.
        guard let known = model.stamp(of: path), let found = folder.look(at: path), found != known else { continue }
        audit.suspect(path, as: found)
      }
    case .confirm(let suspects): confirm(suspects)
    }
  }

  private func list(_ folder: RelativePath, for audit: inout Audit) {
    let (model, filter) = state.withLock { ($0.contents.model, $0.contents.rules.watchFilter) }
    let oneLevel = WatchFilter(
      includesDirectory: { _ in false }, includesFile: { filter.includesFile($0) || filter.includesDirectory($0) })
    guard let listing = try? DirectoryScan.scan(root: location, below: folder, filter: oneLevel), let root = OpenFolder(location) else {
      return
    }
    audit.found(folders: listing.entries.filter { $0.kind == .directory && filter.includesDirectory($0.path) }.map(\.path))
    for entry in listing.entries where entry.path != PathRules.settingsPath && filter.includesFile(entry.path) {
      if !model.knows(entry.path), let found = root.look(at: entry.path) { audit.suspect(entry.path, as: found) }
    }
  }

  private func confirm(_ suspects: [RelativePath: FileStamp?]) {
    guard let folder = OpenFolder(location) else { return }
    let before = state.withLock { $0.contents.model }
    let confirmed = suspects.filter { path, stamp in
      guard let found = folder.look(at: path) else { return false }
      return found == stamp && found != before.stamp(of: path)
    }
    if confirmed.isEmpty { return }
    look(at: DirtyPaths(files: Set(confirmed.keys)), isCertain: true)
    state.withLock { state in
      let after = state.contents.model
      state.missedChanges += confirmed.count { path, stamp in
        // What was edited again since is no longer what was confirmed.
        after.knowsOther(of: path, than: before) && (after.stamp(of: path) == stamp || after.isBroken(path))
      }
    }
  }
}

extension OpenFolder {
  /// The stamp of what is there, `.some(nil)` where nothing is, and nil where that cannot be told.
  fileprivate func look(at path: RelativePath) -> FileStamp?? {
    do throws(Problem) { return .some(try stamp(of: path)) } catch { return nil }
  }
}
