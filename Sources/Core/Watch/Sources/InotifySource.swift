import Files
import Glibc

/// Observes changes by the events of inotify, with one watch on every folder. Lives on the
/// watcher's thread.
final class InotifySource: ChangeSource {
  private static let treeKinds: Inotify.Event.Kinds = [
    .created, .deleted, .movedFrom, .movedTo, .modified, .closedAfterWriting, .attributes, .selfDeleted,
    .selfMoved, .excludeUnlinked,
  ]

  let root: RootPath
  var filter: WatchFilter
  let inotify: Inotify
  var table = WatchTable()
  var anchors: Set<Int32> = []
  /// The name, in the folder above, of the root, or of the missing folder on the way to it.
  var nameAbove: [UInt8] = []
  /// The identity of the root's folder; `nil` while it is gone.
  var identity: FileIdentity?
  /// The repositories by work tree. `.root` is the work tree around the root.
  var repositories: [RelativePath: WatchedRepository] = [:]
  /// The work trees for each watch on a repository's folder.
  var gitTrees: [Int32: Set<RelativePath>] = [:]
  /// Set by events after which the root, or a repository, may be a different one.
  var rootNeedsCheck = false
  var gitNeedsCheck: Set<RelativePath> = []
  var retry = RetrySchedule()
  /// The folders that are there but could not be read when they were last tried.
  var unreadable: Set<RelativePath> = []
  var eventCount = 0
  /// The size in bytes of all events that were read.
  var position = 0
  var overflowCount = 0
  /// The file that was examined last in the call that is running. All events of the call happened
  /// before it, so one look serves all events of the file.
  var examined: (path: RelativePath, isEmpty: Bool)?
  /// The place where the event before this one let a file arrive; nil if it was another event.
  var arrival: (watch: Int32, name: [UInt8])?
  private var events: [SourceEvent] = []
  private(set) var now = SuspendingClock.now

  /// Continues the counts of `counters`.
  init(root: RootPath, filter: WatchFilter, counters: WatchCounters = WatchCounters()) throws(WatchError) {
    self.root = root
    self.filter = filter
    eventCount = counters.events
    overflowCount = counters.overflows
    inotify = try Inotify(root: root.given)
  }

  // MARK: ChangeSource

  var descriptor: Int32? { inotify.descriptor.raw }
  var deadline: Instant? { retry.deadline }

  func counting(in counters: WatchCounters) -> WatchCounters {
    var counters = counters
    counters.isPolling = false
    counters.watches = table.count
    counters.events = eventCount
    counters.overflows = overflowCount
    return counters
  }

  var endPosition: Int { position + inotify.queuedBytes }

  func gitFolder(of tree: RelativePath) -> GitFolder? { repositories[tree]?.folder }

  func start(at now: Instant, knowing known: KnownListing? = nil) throws(WatchError) -> SourceReport {
    self.now = now
    identity = root.identity
    let isComplete = try placeAnchors()
    let folder = try Descriptor.root(root)
    // The root may have been replaced before the anchors were set.
    if !isComplete || root.identity != identity { retry.schedule(.root, at: now) }
    try findGit(.root)
    let listing = try walk(folder, below: .root, filter, known: known)
    for tree in listing.workTrees where tree != .root { try findGit(tree) }
    return removeReport(listing)
  }

  func restoreWatches(_ folder: RelativePath, at now: Instant) -> SourceReport {
    report(at: now) { () throws(WatchError) in try restoreWatches(folder) }
  }

  func recoverFromOverflow(at now: Instant) -> SourceReport {
    report(at: now) { () throws(WatchError) in
      try restoreWatches(.root)
      for (tree, repository) in repositories {
        observe(.git(.recovered(repository.folder.markers()), in: tree))
      }
    }
  }

  func setFilter(_ filter: WatchFilter, at now: Instant) -> SourceReport {
    report(at: now) { () throws(WatchError) in
      self.filter = filter
      table.removeTree(.root).forEach(release)
      unreadable = []
      try restoreWatches(.root)
    }
  }

  func report(at now: Instant, _ body: () throws(WatchError) -> Void) -> SourceReport {
    self.now = now
    var failure: WatchError?
    do throws(WatchError) { try body() } catch { failure = error }
    return removeReport(.init(), failure)
  }

  private func removeReport(_ listing: DirectoryScan.Listing = .init(), _ failure: WatchError? = nil)
    -> SourceReport
  {
    defer { events = [] }
    return SourceReport(
      time: now, events: events, listing: listing, isRootGone: failure == nil ? isRootGone : nil,
      failure: failure)
  }

  func observe(_ event: SourceEvent) {
    events.append(event)
  }

  func observe(_ change: SourceEvent.Change, of path: DirtyPath) {
    events.append(.change(change, of: path))
  }

  /// Tries again to read folders that could not be read, and checks whether a missing root is back.
  func retryIfDue() throws(WatchError) {
    guard let folders = retry.removeDue(at: now) else { return }
    if isRootGone || folders.contains(.root) { try checkRoot() }
    for folder in folders {
      try enter(folder, listing: false)
      observe(.changed(isEmpty: false), of: .subtree(folder))
    }
  }

  private func restoreWatches(_ folder: RelativePath) throws(WatchError) {
    if folder == .root { try checkRoot() }
    try enter(folder, listing: false)
  }

  // MARK: Watches

  /// Watches a folder and everything below it. With `listing`, the entries found count as created:
  /// they may have been there before the watch was.
  func enter(_ path: RelativePath, listing: Bool) throws(WatchError) {
    if isRootGone { return }
    let folder: Descriptor
    do throws(WatchError) {
      folder = try Descriptor.root(root)
    } catch {
      unreadable.insert(path)
      return retry.schedule(path, at: now)
    }
    var filter = filter
    if !listing { filter.includesFile = { _ in false } }
    let found = try walk(folder, below: path, filter)
    // Before the entries, which git may have made.
    for tree in found.workTrees { try findGit(tree, isNew: listing && path != .root) }
    markGitForCheck(at: path)
    gitNeedsCheck.subtract(found.workTrees)
    for entry in found.entries {
      observe(.created(isEmpty: entry.kind == .regular && isEmpty(entry.path)), of: .entry(entry.path))
    }
    for failure in found.unreadable { observe(.changed(isEmpty: false), of: .subtree(failure.directory)) }
  }

  /// Drops the paths at and below a folder that is somewhere else now, and the watches that have no
  /// other path. `kept` is about to get another path.
  func leave(_ path: RelativePath, keeping kept: Int32? = nil) {
    for watch in table.removeTree(path) where watch != kept { release(watch) }
    markGitForCheck(at: path)
    if !unreadable.isEmpty { unreadable = unreadable.filter { $0 != path && !$0.isBelow(path) } }
  }

  private func walk(
    _ folder: borrowing Descriptor, below start: RelativePath, _ filter: WatchFilter,
    known: KnownListing? = nil
  ) throws(WatchError) -> DirectoryScan.Listing {
    var listing = DirectoryScan.Listing()
    let walk = TreeWalk(rootName: root.given, filter: filter, known: known)
    listing.unreadable = try walk.run(folder, below: start) { path, raw throws(WatchError) in
      let display = DirectoryScan.display(root.given, path)
      let watch = try inotify.add(
        directory: raw, at: RootPath.join(root.absolute, path.description), Self.treeKinds, display: display)
      dropOldPaths(of: watch, found: path, raw)
      table.set(watch, path).forEach(release)
      unreadable.remove(path)
    } found: {
      listing.folders.append($0)
    }
    for failure in listing.unreadable {
      unreadable.insert(failure.directory)
      if failure.error.isTransient { retry.schedule(failure.directory, at: now) }
    }
    return listing
  }

  /// Drops the other paths of a watch where its folder no longer is. It was moved, and the event
  /// comes later or was lost. At the remaining paths the same folder is mounted a second time.
  private func dropOldPaths(of watch: Int32, found path: RelativePath, _ folder: Int32) {
    let others = table.paths(of: watch).filter { $0 != path }
    if others.isEmpty { return }
    let identity = (try? FileStatus(of: folder))?.stamp.identity
    for other in others {
      let there = other == .root ? root.identity : root.status(other)?.stamp.identity
      // A path that cannot be checked now stays: one event too many only reports an unchanged path.
      if there == nil, ![ENOENT, ENOTDIR, ELOOP].contains(errno) { continue }
      if there != identity { leave(other, keeping: watch) }
    }
  }

  /// Removes a watch without a path from the kernel, unless it is used for something else.
  func release(_ watch: Int32) {
    if !table.contains(watch: watch), !anchors.contains(watch), gitTrees[watch] == nil {
      inotify.remove(watch)
    }
  }

  func forget(_ watch: Int32) {
    let wasRoot = table.paths(of: watch).contains(.root)
    table.remove(watch)
    if anchors.remove(watch) != nil || wasRoot { rootNeedsCheck = true }
    if let trees = gitTrees.removeValue(forKey: watch) { gitNeedsCheck.formUnion(trees) }
  }
}
