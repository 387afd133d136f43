import Glibc

/// The root itself, which may go, come back, and be another then.
extension InotifySource {
  private static let anchorKinds: InotifyEvent.Kinds = [.selfDeleted, .selfMoved, .dontFollow]
  /// A folder that is removed while it is somebody's working directory says nothing itself; the folder above does.
  private static let removalKinds: InotifyEvent.Kinds = [.deleted, .onlyDirectories]
  private static let arrivalKinds: InotifyEvent.Kinds = [.created, .movedTo, .attributes, .onlyDirectories]

  var isRootGone: Bool { identity == nil }

  /// Looks whether the root is still the folder that is watched, and begins anew where it is not.
  func checkRoot(_ settler: inout Settler, at now: Instant) throws(WatchError) {
    rootIsSuspect = false
    // Before the look, so that what changes after it is told. What came between the two has no anchor yet.
    var isComplete = try placeAnchors()
    var found = root.identity
    if found != nil, !isComplete {
      isComplete = try placeAnchors()
      found = root.identity
    }
    if found == nil, ![ENOENT, ENOTDIR, ELOOP].contains(errno) {
      // A folder above may not be entered now, or something passes: what was there is taken to be there still.
      return retry.schedule(.root, at: now)
    }
    if found != nil, !isComplete { retry.schedule(.root, at: now) }
    if let found, found == identity, table.contains(.root) { return }
    let wasGone = isRootGone
    leave(.root)
    identity = found
    if found != nil {
      // With its entries, so that those whose creation went unseen still count as created: git may be at work.
      try enter(.root, listing: true, &settler, at: now)
      settler.note(.created(isEmpty: false), of: .subtree(.root), at: now)
      try findGit(.root, &settler, at: now)
      if wasGone, try !placeAnchors() { retry.schedule(.root, at: now) }
    } else {
      if !wasGone { settler.note(.vanished(cookie: 0), of: .subtree(.root), at: now) }
      _ = try placeAnchors()
      retry.schedule(nil, at: now)
    }
  }

  /// Watches what leads to the root; while it is gone, also the deepest folder that is left, for what appears in it. False where something was not there, which may
  /// be there now.
  func placeAnchors() throws(WatchError) -> Bool {
    var placed: Set<Int32> = []
    var isComplete = true
    for path in root.ancestors {
      // Nothing is lost where one of them may not be watched: the root tells of itself.
      if let watch = try addAnchor(path, Self.anchorKinds, &isComplete) { placed.insert(watch) }
    }
    let resolved = root.resolved ?? root.absolute
    let (folder, name) = isRootGone ? root.placeOfReturn : (RootPath.join(resolved, ".."), RootPath.name(of: resolved))
    nameAbove = name
    if let watch = try addAnchor(folder, isRootGone ? Self.arrivalKinds : Self.removalKinds, &isComplete) { placed.insert(watch) }
    let dropped = anchors.subtracting(placed)
    anchors = placed
    // One of them may be watched for items: a folder above the root can be mounted in it.
    dropped.forEach(release)
    return isComplete
  }

  private func addAnchor(_ path: String, _ kinds: InotifyEvent.Kinds, _ isThere: inout Bool) throws(WatchError) -> Int32? {
    do throws(WatchError) {
      return try inotify.add(path, kinds, display: root.given)
    } catch {
      if error.code == .noWatchesLeft { throw error }
      if error.code == .notFound || error.code == .notADirectory { isThere = false }
      return nil
    }
  }
}
