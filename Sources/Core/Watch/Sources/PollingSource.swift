import Files
import SystemPackage

/// Observes changes by comparing the results of `stat` with the earlier ones, for file systems
/// without events. Lives on the watcher's thread.
final class PollingSource: ChangeSource {
  private let root: RootPath
  private var filter: WatchFilter
  private let interval: Duration
  private let clock = SuspendingClock()
  private var nextPoll: Instant?
  private var statuses: [RelativePath: FileStatus] = [:]
  private var unreadable: Set<RelativePath> = []
  /// The folders that a reader lists between two polls; see ``restoreWatches(_:at:)``.
  private var listedElsewhere: Set<RelativePath> = []
  /// The repositories by work tree, with the markers that they had.
  private var repositories: [RelativePath: (folder: GitFolder, markers: Set<GitMarker>)] = [:]
  private var isRootGone = false
  private var pollCount = 0
  private var events: [SourceEvent] = []

  init(root: RootPath, filter: WatchFilter, interval: Duration) {
    self.root = root
    self.filter = filter
    self.interval = interval
  }

  // MARK: ChangeSource

  var descriptor: Int32? { nil }
  var deadline: Instant? { nextPoll }

  var position: Int { pollCount }
  var endPosition: Int { pollCount + 1 }

  func counting(in counters: WatchCounters) -> WatchCounters {
    var counters = counters
    counters.isPolling = true
    counters.watches = 0
    counters.polls = pollCount
    return counters
  }

  /// Returns `nil`: without events it is unknown whether git is idle.
  func gitFolder(of tree: RelativePath) -> GitFolder? { nil }

  /// Reads the first statuses, and observes nothing but the state of git. Lists every folder: where
  /// it polls, the times of a folder may lag behind its content.
  func start(at now: Instant) throws(WatchError) -> SourceReport {
    nextPoll = now + interval
    let listing = try scan()
    findGit(listing.workTrees, isFirst: true)
    unreadable = Set(listing.unreadable.map(\.directory))
    var report = removeReport(at: now)
    report.listing = listing
    return report
  }

  func read(at now: Instant, isDecisionDue: Bool) -> SourceReport {
    guard isDecisionDue || (nextPoll.map { $0 <= now } ?? false) else { return SourceReport(time: now) }
    poll()
    // Polling a large folder on a slow file system takes at most a tenth of the time.
    let end = clock.now
    nextPoll = end + max(interval, now.duration(to: end) * 9)
    return removeReport(at: now)
  }

  /// Remembers that a reader lists a folder now. If a file was listed but is gone before the next
  /// poll, this source doesn't know about it, so the folder is reported again after that poll.
  func restoreWatches(_ folder: RelativePath, at now: Instant) -> SourceReport {
    listedElsewhere.insert(folder)
    return SourceReport(time: now)
  }

  func recoverFromOverflow(at now: Instant) -> SourceReport { restoreWatches(.root, at: now) }

  func setFilter(_ filter: WatchFilter, at now: Instant) -> SourceReport {
    self.filter = filter
    return restoreWatches(.root, at: now)
  }

  private func removeReport(at now: Instant) -> SourceReport {
    defer { events = [] }
    return SourceReport(time: now, events: events, isRootGone: isRootGone)
  }

  private func observe(_ change: SourceEvent.Change, of path: DirtyPath) {
    events.append(.change(change, of: path))
  }

  private func observe(_ event: GitEvent, in tree: RelativePath) {
    events.append(.git(event, in: tree))
  }

  // MARK: Polling

  /// Polls once. The markers of git are read before and after the scan, so that the changes of a
  /// running command are known to be git's.
  private func poll() {
    pollCount += 1
    readMarkers()
    let before = statuses
    do throws(WatchError) {
      let listing = try scan()
      findGit(listing.workTrees, isFirst: isRootGone)
      isRootGone = false
      readMarkers()
      let failed = Set(listing.unreadable.map(\.directory))
      keep(before, below: failed)
      compare(with: before)
      for folder in failed.symmetricDifference(unreadable) {
        observe(.changed(isEmpty: false), of: .subtree(folder))
      }
      unreadable = failed
      for folder in listedElsewhere { observe(.changed(isEmpty: false), of: .subtree(folder)) }
      listedElsewhere = []
    } catch {
      // Every failure except a missing root passes: assume that nothing changed.
      guard error.code == .notFound || error.code == .notADirectory, !isRootGone else { return }
      isRootGone = true
      statuses = [:]
      observe(.vanished(cookie: 0), of: .subtree(.root))
    }
  }

  private func scan() throws(WatchError) -> DirectoryScan.Listing {
    let folder = try Descriptor.root(root)
    var listing = DirectoryScan.Listing()
    let walk = TreeWalk(rootName: root.given, filter: filter)
    listing.unreadable = try walk.run(folder, below: .root, found: { listing.folders.append($0) })
    var found: [RelativePath: FileStatus] = [:]
    let entries = listing.entries
    found.reserveCapacity(entries.count)
    for entry in entries {
      found[entry.path] = try? entry.path.withCString { path throws(Errno) in
        try FileStatus(in: folder.raw, path)
      }
    }
    statuses = found
    return listing
  }

  /// Keeps the statuses below folders that cannot be read now: their files are not gone.
  private func keep(_ before: [RelativePath: FileStatus], below failed: Set<RelativePath>) {
    if failed.isEmpty { return }
    for (path, status) in before where statuses[path] == nil && failed.contains(where: { path.isBelow($0) }) {
      statuses[path] = status
    }
  }

  private func compare(with before: [RelativePath: FileStatus]) {
    for (path, status) in statuses where before[path] != status {
      let isSameFile = before[path]?.stamp.identity == status.stamp.identity
      observe(
        isSameFile ? .changed(isEmpty: status.isEmptyFile) : .created(isEmpty: status.isEmptyFile),
        of: .entry(path))
    }
    for path in before.keys where statuses[path] == nil { observe(.vanished(cookie: 0), of: .entry(path)) }
  }

  // MARK: Git

  private func findGit(_ found: [RelativePath], isFirst: Bool) {
    var folders: [RelativePath: GitFolder] = [:]
    folders[.root] = root.resolved.flatMap(GitFolder.find)
    for tree in found where tree != .root {
      if let folder = root.topOfWorkTree(tree).flatMap(GitFolder.init(of:)), folder.isRepository {
        folders[tree] = folder
      }
    }
    for tree in repositories.keys where folders[tree] == nil {
      repositories[tree] = nil
      observe(.removed, in: tree)
    }
    for (tree, folder) in folders where repositories[tree]?.folder != folder {
      let markers = folder.markers()
      repositories[tree] = (folder, markers)
      if tree != .root { events.append(.workTree(tree, superproject: nil)) }
      observe(.found(markers, isAtWork: !isFirst && tree != .root && folder.hasIndex), in: tree)
    }
  }

  private func readMarkers() {
    for (tree, (folder, known)) in repositories {
      let found = folder.markers()
      for marker in found.subtracting(known) { observe(.appeared(marker), in: tree) }
      for marker in known.subtracting(found) { observe(.disappeared(marker, isUsed: true), in: tree) }
      repositories[tree] = (folder, found)
    }
  }
}
