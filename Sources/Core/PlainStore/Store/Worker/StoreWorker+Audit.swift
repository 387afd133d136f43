import Files
import Folder
import Query
import Values
import Watch

/// The audit's part of the worker. It continues when everything that was noticed before has been
/// read.
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
