import Glibc
import LinuxFiles

/// Turns inotify's events into changes for the settler, and keeps a watch on every folder. Lives on the watch's thread.
final class InotifySource {
  typealias Instant = SuspendingClock.Instant

  private static let treeKinds: InotifyEvent.Kinds = [
    .created, .deleted, .movedFrom, .movedTo, .modified, .closedAfterWriting, .attributes, .selfDeleted, .selfMoved, .excludeUnlinked,
  ]

  let root: RootPath
  var filter: WatchFilter
  let inotify: Inotify
  var table = WatchTable()
  /// Watches on what leads to the root.
  var anchors: Set<Int32> = []
  /// The name, in the folder above, of the root, or of what is missing on the way to it.
  var nameAbove: [UInt8] = []
  /// Which folder the root is; `nil` while it is gone.
  var identity: FileIdentity?
  /// By their work trees; `.root` is the one around the root.
  var repositories: [RelativePath: Repository] = [:]
  /// Watches on the repositories' folders.
  var gitTrees: [Int32: Set<RelativePath>] = [:]
  /// Work trees in which a command of several steps began; emptied by who takes note of it.
  var startedTrees: Set<RelativePath> = []
  /// Work trees of whose repository something was heard; emptied by who takes note of it.
  var heardTrees: Set<RelativePath> = []
  /// Set by events that may mean that the root, or a repository, is another one now.
  var rootIsSuspect = false
  var gitSuspects: Set<RelativePath> = []
  var retry = Retry()
  /// Folders that are there but could not be read when last looked at.
  private var unreadable: Set<RelativePath> = []
  private(set) var eventCount = 0
  private(set) var overflowCount = 0

  /// Goes on counting from `counters`.
  init(root: RootPath, filter: WatchFilter, counters: WatchCounters = WatchCounters()) throws(WatchError) {
    self.root = root
    self.filter = filter
    eventCount = counters.events
    overflowCount = counters.overflows
    inotify = try Inotify(root: root.given)
  }

  /// Sets all watches; the listing is that of the same walk.
  func start(_ settler: inout Settler, at now: Instant) throws(WatchError) -> DirectoryScan.Listing {
    identity = root.identity
    let isComplete = try placeAnchors()
    let folder = try Descriptor.root(root)
    // It may have been replaced meanwhile, and the anchors set too late to tell.
    if !isComplete || root.identity != identity { retry.schedule(.root, at: now) }
    try findGit(.root, &settler, at: now)
    let listing = try walk(folder, below: .root, filter, at: now)
    for tree in listing.workTrees where tree != .root { try findGit(tree, &settler, at: now) }
    return listing
  }

  /// Reads what events there are and tells the settler. True when there are no more. Ends after `limit` buffers, so that a storm cannot keep what is due from being handed out.
  func drain(_ settler: inout Settler, limit: Int = 64, now: () -> Instant) throws(WatchError) -> Bool {
    for _ in 0..<limit {
      let time = now()
      let count = try inotify.read { event throws(WatchError) in try handle(event, &settler, at: time) }
      eventCount += count
      if rootIsSuspect { try checkRoot(&settler, at: time) }
      try findSuspectGit(&settler, at: time)
      if count == 0 { return true }
    }
    return false
  }

  /// Looks again at what could not be read, and for a root that is gone, when that is due.
  func retryIfDue(_ settler: inout Settler, at now: Instant) throws(WatchError) {
    guard let at = retry.at, at <= now else { return }
    let folders = retry.take()
    if isRootGone || folders.contains(.root) { try checkRoot(&settler, at: now) }
    for folder in folders {
      try enter(folder, listing: false, &settler, at: now)
      settler.note(.changed(isEmpty: false), of: .subtree(folder), at: now)
    }
  }

  /// Sets the watches that are missing at and below a folder.
  func mend(_ folder: RelativePath, _ settler: inout Settler, at now: Instant) throws(WatchError) {
    if folder == .root { try checkRoot(&settler, at: now) }
    try enter(folder, listing: false, &settler, at: now)
  }

  /// Takes another filter, drops the watches that it leaves out and sets those that it lets in.
  func setFilter(_ filter: WatchFilter, _ settler: inout Settler, at now: Instant) throws(WatchError) {
    self.filter = filter
    table.removeTree(.root).forEach(release)
    unreadable = []
    try mend(.root, &settler, at: now)
  }

  // MARK: Events

  private func handle(_ event: InotifyEvent, _ settler: inout Settler, at now: Instant) throws(WatchError) {
    if event.kinds.contains(.overflow) {
      overflowCount += 1
      settler.overflowed(at: now)
      return
    }
    if event.kinds.contains(.ignored) { return forget(event.watch) }
    if let trees = gitTrees[event.watch] {
      // What the root went through before a lock went was done under it.
      if rootIsSuspect { try checkRoot(&settler, at: now) }
      for tree in trees { try handleGit(event, in: tree, &settler, at: now) }
    }
    if anchors.contains(event.watch), isAboutRoot(event) { rootIsSuspect = true }
    for folder in table.paths(of: event.watch) { try handle(event, in: folder, &settler, at: now) }
  }

  /// Handles what happened in a folder, at one of the paths at which it is.
  private func handle(_ event: InotifyEvent, in folder: RelativePath, _ settler: inout Settler, at now: Instant) throws(WatchError) {
    if event.name.isEmpty {
      if folder == .root { try handleRoot(event.kinds, &settler, at: now) }
      return
    }
    // At once, so that what git does next is heard.
    if GitFolder.isName(event.name) { try findGit(folder, isNew: true, &settler, at: now) }
    let path = folder.appending(name: event.name)
    if event.kinds.contains(.isDirectory), filter.includesDirectory(path) { try handleFolder(path, event, &settler, at: now) }
    if filter.includesFile(path) { handleEntry(path, event, &settler, at: now) }
  }

  /// The folder above the root may be a busy one: what comes and goes there is nearly always something else.
  private func isAboutRoot(_ event: InotifyEvent) -> Bool {
    event.name.isEmpty || event.name.elementsEqual(nameAbove)
  }

  private func handleRoot(_ kinds: InotifyEvent.Kinds, _ settler: inout Settler, at now: Instant) throws(WatchError) {
    if !kinds.isDisjoint(with: [.selfDeleted, .selfMoved, .unmounted]) { rootIsSuspect = true }
    if kinds.contains(.attributes) { try checkPermission(.root, &settler, at: now) }
  }

  private func handleEntry(_ path: RelativePath, _ event: InotifyEvent, _ settler: inout Settler, at now: Instant) {
    let kinds = event.kinds
    let isFolder = kinds.contains(.isDirectory)
    let change: Settler.Change? =
      if kinds.contains(.created) {
        .created(isEmpty: !isFolder && isEmpty(path))
      } else if kinds.contains(.modified) {
        .written(isEmpty: isEmpty(path))
      } else if kinds.contains(.attributes) {
        .changed(isEmpty: !isFolder && isEmpty(path))
      } else if kinds.contains(.closedAfterWriting) {
        .completed(isEmpty: isEmpty(path))
      } else if kinds.contains(.movedTo) {
        .arrived(cookie: event.cookie)
      } else if kinds.contains(.deleted) || kinds.contains(.movedFrom) {
        .vanished(cookie: event.cookie)
      } else {
        nil
      }
    if let change { settler.note(change, of: .entry(path), at: now) }
  }

  private func handleFolder(_ path: RelativePath, _ event: InotifyEvent, _ settler: inout Settler, at now: Instant) throws(WatchError) {
    let kinds = event.kinds
    if kinds.contains(.created) {
      try enter(path, listing: true, &settler, at: now)
    } else if kinds.contains(.movedTo) {
      try enter(path, listing: false, &settler, at: now)
      settler.note(.arrived(cookie: event.cookie), of: .subtree(path), at: now)
    } else if kinds.contains(.deleted) || kinds.contains(.movedFrom) {
      leave(path)
      // Names that change places at once tell of the second arrival before they tell of its leaving: what is there now is to be watched.
      try enter(path, listing: false, &settler, at: now)
      settler.note(.vanished(cookie: event.cookie), of: .subtree(path), at: now)
    } else if kinds.contains(.attributes) {
      try checkPermission(path, &settler, at: now)
    }
  }

  /// A folder that lost or regained its permissions is to be looked at again; one that was only touched is not.
  private func checkPermission(_ path: RelativePath, _ settler: inout Settler, at now: Instant) throws(WatchError) {
    let wasReadable = table.contains(path) && !unreadable.contains(path)
    if root.isReadable(path) {
      if wasReadable { return }
      try enter(path, listing: false, &settler, at: now)
    } else {
      unreadable.insert(path)
    }
    settler.note(.changed(isEmpty: false), of: .subtree(path), at: now)
  }

  /// Whether a regular file of no bytes is there now.
  private func isEmpty(_ path: RelativePath) -> Bool {
    root.status(path)?.isEmptyFile ?? false
  }

  // MARK: Watches

  /// Watches a folder and all below it. With `listing`, the entries found count as created: they may have been there before the watch was.
  func enter(_ path: RelativePath, listing: Bool, _ settler: inout Settler, at now: Instant) throws(WatchError) {
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
    let found = try walk(folder, below: path, filter, at: now)
    // Before what is in them, which may be git's doing.
    for tree in found.workTrees { try findGit(tree, isNew: listing && path != .root, &settler, at: now) }
    suspectGit(at: path)
    gitSuspects.subtract(found.workTrees)
    for entry in found.entries {
      settler.note(.created(isEmpty: entry.kind == .regular && isEmpty(entry.path)), of: .entry(entry.path), at: now)
    }
    for failure in found.unreadable { settler.note(.changed(isEmpty: false), of: .subtree(failure.directory), at: now) }
  }

  /// Drops the paths at and below a folder that is elsewhere now, and the watches that have no other path. `kept` is about to get another path.
  func leave(_ path: RelativePath, keeping kept: Int32? = nil) {
    for watch in table.removeTree(path) where watch != kept { release(watch) }
    suspectGit(at: path)
    if !unreadable.isEmpty { unreadable = unreadable.filter { $0 != path && !$0.isBelow(path) } }
  }

  private func walk(_ folder: borrowing Descriptor, below start: RelativePath, _ filter: WatchFilter, at now: Instant) throws(WatchError)
    -> DirectoryScan.Listing
  {
    let listing = try DirectoryScan.walk(folder, named: root.given, below: start, filter: filter) { path, raw throws(WatchError) in
      let display = DirectoryScan.display(root.given, path)
      let watch = try inotify.add(directory: raw, at: RootPath.join(root.absolute, path.description), Self.treeKinds, display: display)
      dropOldPaths(of: watch, found: path, raw)
      table.set(watch, path).forEach(release)
      unreadable.remove(path)
    }
    for failure in listing.unreadable {
      unreadable.insert(failure.directory)
      if failure.error.isTransient { retry.schedule(failure.directory, at: now) }
    }
    return listing
  }

  /// Drops the other paths of a watch at which its folder is no longer: it was moved, and the event comes later or was lost. The rest are where the same folder is
  /// mounted a second time.
  private func dropOldPaths(of watch: Int32, found path: RelativePath, _ folder: Int32) {
    let others = table.paths(of: watch).filter { $0 != path }
    if others.isEmpty { return }
    let identity = (try? FileStatus(of: folder))?.stamp.identity
    for other in others {
      let there = other == .root ? root.identity : root.status(other)?.stamp.identity
      // A path that cannot be checked now stays: an event too many names a path that did not change.
      if there == nil, ![ENOENT, ENOTDIR, ELOOP].contains(errno) { continue }
      if there != identity { leave(other, keeping: watch) }
    }
  }

  /// Removes a watch from the kernel that has no path any more, unless it is used for something else.
  func release(_ watch: Int32) {
    if !table.contains(watch: watch), !anchors.contains(watch), gitTrees[watch] == nil { inotify.remove(watch) }
  }

  private func forget(_ watch: Int32) {
    let wasRoot = table.paths(of: watch).contains(.root)
    table.remove(watch)
    if anchors.remove(watch) != nil || wasRoot { rootIsSuspect = true }
    if let trees = gitTrees.removeValue(forKey: watch) { gitSuspects.formUnion(trees) }
  }
}
