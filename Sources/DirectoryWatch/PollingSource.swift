/// Finds changes by comparing what `stat` says now with what it said before, for file systems without events. Lives on the watch's thread.
final class PollingSource {
  typealias Instant = SuspendingClock.Instant

  let root: RootPath
  var filter: WatchFilter
  private var stamps: [RelativePath: FileStamp] = [:]
  private var unreadable: Set<RelativePath> = []
  private var lookedAt: Set<RelativePath> = []
  private var git: GitFolder?
  private var signs: Set<GitSign> = []
  private(set) var isRootGone = false
  private(set) var pollCount = 0

  init(root: RootPath, filter: WatchFilter) {
    self.root = root
    self.filter = filter
  }

  /// The first look, which tells the settler nothing but the state of git.
  func start(_ settler: inout Settler, at now: Instant) throws(WatchError) -> DirectoryScan.Listing {
    findGit(&settler, at: now)
    let listing = try look()
    unreadable = Set(listing.unreadable.map(\.directory))
    return listing
  }

  /// Notes that somebody lists a folder whatever is told of it. What is found there and goes before the next look is known to nobody here, so after that look the
  /// folder is to be listed once more.
  func expectLook(at folder: RelativePath) {
    lookedAt.insert(folder)
  }

  /// One look. Signs of git are read before and after it, so that what it sees of a running command is known to be git's.
  func poll(_ settler: inout Settler, at now: Instant) {
    pollCount += 1
    readSigns(&settler, at: now)
    let before = stamps
    do throws(WatchError) {
      let listing = try look()
      if isRootGone { findGit(&settler, at: now) }
      isRootGone = false
      readSigns(&settler, at: now)
      let failed = Set(listing.unreadable.map(\.directory))
      keep(before, below: failed)
      compare(before, &settler, at: now)
      for folder in failed.symmetricDifference(unreadable) { settler.note(.changed(isEmpty: false), of: .subtree(folder), at: now) }
      unreadable = failed
      for folder in lookedAt { settler.note(.changed(isEmpty: false), of: .subtree(folder), at: now) }
      lookedAt = []
    } catch {
      // Anything else than a root that is gone passes: what was there is taken to be there still.
      guard error.code == .notFound || error.code == .notADirectory, !isRootGone else { return }
      isRootGone = true
      stamps = [:]
      settler.note(.vanished(cookie: 0), of: .subtree(.root), at: now)
    }
  }

  private func look() throws(WatchError) -> DirectoryScan.Listing {
    let folder = try Descriptor.root(root)
    let listing = try DirectoryScan.walk(folder, named: root.given, below: .root, filter: filter) { _, _ throws(WatchError) in }
    var found: [RelativePath: FileStamp] = [:]
    found.reserveCapacity(listing.entries.count)
    for entry in listing.entries {
      if let stamp = folder.stamp(entry.path) { found[entry.path] = stamp }
    }
    stamps = found
    return listing
  }

  /// What lies below a folder that cannot be read now is not gone.
  private func keep(_ before: [RelativePath: FileStamp], below failed: Set<RelativePath>) {
    if failed.isEmpty { return }
    for (path, stamp) in before where stamps[path] == nil && failed.contains(where: { path.isBelow($0) }) { stamps[path] = stamp }
  }

  private func compare(_ before: [RelativePath: FileStamp], _ settler: inout Settler, at now: Instant) {
    for (path, stamp) in stamps where before[path] != stamp {
      let isSame = before[path]?.identity == stamp.identity
      settler.note(isSame ? .changed(isEmpty: stamp.isEmptyFile) : .created(isEmpty: stamp.isEmptyFile), of: .entry(path), at: now)
    }
    for path in before.keys where stamps[path] == nil { settler.note(.vanished(cookie: 0), of: .entry(path), at: now) }
  }

  private func findGit(_ settler: inout Settler, at now: Instant) {
    git = root.resolved.flatMap(GitFolder.find)
    signs = git?.signs() ?? []
    settler.gitSigns(found: signs, at: now)
  }

  private func readSigns(_ settler: inout Settler, at now: Instant) {
    let found = git?.signs() ?? []
    for sign in found.subtracting(signs) { settler.gitSign(appeared: sign, at: now) }
    for sign in signs.subtracting(found) { settler.gitSign(disappeared: sign, at: now) }
    signs = found
  }
}
