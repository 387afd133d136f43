import Files
import Glibc

/// The root itself. It may disappear, and another folder may take its place.
extension InotifySource {
  private static let anchorKinds: Inotify.Event.Kinds = [.selfDeleted, .selfMoved, .dontFollow]
  /// A folder that is removed while it is the working directory of a process causes no event of its
  /// own; the folder above does.
  private static let removalKinds: Inotify.Event.Kinds = [.deleted, .onlyDirectories]
  private static let arrivalKinds: Inotify.Event.Kinds = [.created, .movedTo, .attributes, .onlyDirectories]

  var isRootGone: Bool { identity == nil }

  /// Checks that the root is still the watched folder, and watches the new one if it is not.
  func checkRoot() throws(WatchError) {
    rootNeedsCheck = false
    // The anchors come first, so that a change after the check causes an event. If one is missing,
    // the root may have changed between the two.
    var isComplete = try placeAnchors()
    var found = root.identity
    if found != nil, !isComplete {
      isComplete = try placeAnchors()
      found = root.identity
    }
    if found == nil, ![ENOENT, ENOTDIR, ELOOP].contains(errno) {
      // A folder above is not accessible now, or there is a passing failure: assume that nothing changed.
      return retry.schedule(.root, at: now)
    }
    if found != nil, !isComplete { retry.schedule(.root, at: now) }
    if let found, found == identity, table.contains(.root) { return }
    let wasGone = isRootGone
    leave(.root)
    identity = found
    if found != nil {
      // With its entries, so that they count as created even if no event reported them: git may be at work.
      try enter(.root, listing: true)
      observe(.created(isEmpty: false), of: .subtree(.root))
      try findGit(.root)
      if wasGone, try !placeAnchors() { retry.schedule(.root, at: now) }
    } else {
      if !wasGone { observe(.vanished(cookie: 0), of: .subtree(.root)) }
      _ = try placeAnchors()
      retry.scheduleSoon(at: now)
    }
  }

  /// Watches the folders and links on the way to the root. While the root is gone, it also watches
  /// the deepest folder that is left, for what appears in it. Returns false if one of them was
  /// missing: it may have appeared meanwhile.
  func placeAnchors() throws(WatchError) -> Bool {
    var placed: Set<Int32> = []
    var isComplete = true
    for path in root.ancestors {
      // If one of them cannot be watched, nothing is lost: the root has its own events.
      if let watch = try addAnchor(path, Self.anchorKinds, &isComplete) { placed.insert(watch) }
    }
    let resolved = root.resolved ?? root.absolute
    let (folder, name) =
      isRootGone ? root.placeOfReturn : (RootPath.join(resolved, ".."), RootPath.name(of: resolved))
    nameAbove = name
    if let watch = try addAnchor(folder, isRootGone ? Self.arrivalKinds : Self.removalKinds, &isComplete) {
      placed.insert(watch)
    }
    let dropped = anchors.subtracting(placed)
    anchors = placed
    // An anchor may also be watched for its entries: a folder above the root can be mounted below the root.
    dropped.forEach(release)
    return isComplete
  }

  private func addAnchor(_ path: String, _ kinds: Inotify.Event.Kinds, _ isThere: inout Bool)
    throws(WatchError) -> Int32?
  {
    do throws(WatchError) {
      return try inotify.add(path, kinds, display: root.given)
    } catch {
      if error.code == .noWatchesLeft { throw error }
      if error.code == .notFound || error.code == .notADirectory { isThere = false }
      return nil
    }
  }
}
