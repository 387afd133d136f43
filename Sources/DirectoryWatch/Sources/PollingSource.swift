import LinuxFiles
import SystemPackage

/// Finds changes by comparing what `stat` says now with what it said before, for file systems without events. Lives on the watch's thread.
final class PollingSource {
  typealias Instant = SuspendingClock.Instant

  let root: RootPath
  var filter: WatchFilter
  private var statuses: [RelativePath: FileStatus] = [:]
  private var unreadable: Set<RelativePath> = []
  private var lookedAt: Set<RelativePath> = []
  /// By their work trees, with the signs that they had.
  private var repositories: [RelativePath: (folder: GitFolder, signs: Set<GitSign>)] = [:]
  private(set) var isRootGone = false
  private(set) var pollCount = 0

  init(root: RootPath, filter: WatchFilter) {
    self.root = root
    self.filter = filter
  }

  /// The first look, which tells the settler nothing but the state of git.
  func start(_ settler: inout Settler, at now: Instant) throws(WatchError) -> DirectoryScan.Listing {
    let listing = try look()
    findGit(listing.workTrees, isFirst: true, &settler, at: now)
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
    let before = statuses
    do throws(WatchError) {
      let listing = try look()
      findGit(listing.workTrees, isFirst: isRootGone, &settler, at: now)
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
      statuses = [:]
      settler.note(.vanished(cookie: 0), of: .subtree(.root), at: now)
    }
  }

  private func look() throws(WatchError) -> DirectoryScan.Listing {
    let folder = try Descriptor.root(root)
    let listing = try DirectoryScan.walk(folder, named: root.given, below: .root, filter: filter) { _, _ throws(WatchError) in }
    var found: [RelativePath: FileStatus] = [:]
    found.reserveCapacity(listing.entries.count)
    for entry in listing.entries {
      found[entry.path] = try? entry.path.withCString { path throws(Errno) in try FileStatus(in: folder.raw, path) }
    }
    statuses = found
    return listing
  }

  /// What lies below a folder that cannot be read now is not gone.
  private func keep(_ before: [RelativePath: FileStatus], below failed: Set<RelativePath>) {
    if failed.isEmpty { return }
    for (path, status) in before where statuses[path] == nil && failed.contains(where: { path.isBelow($0) }) { statuses[path] = status }
  }

  private func compare(_ before: [RelativePath: FileStatus], _ settler: inout Settler, at now: Instant) {
    for (path, status) in statuses where before[path] != status {
      let isSame = before[path]?.stamp.identity == status.stamp.identity
      settler.note(isSame ? .changed(isEmpty: status.isEmptyFile) : .created(isEmpty: status.isEmptyFile), of: .entry(path), at: now)
    }
    for path in before.keys where statuses[path] == nil { settler.note(.vanished(cookie: 0), of: .entry(path), at: now) }
  }

  private func findGit(_ found: [RelativePath], isFirst: Bool, _ settler: inout Settler, at now: Instant) {
    var folders: [RelativePath: GitFolder] = [:]
    folders[.root] = root.resolved.flatMap(GitFolder.find)
    for tree in found where tree != .root {
      guard let path = String(validating: tree.bytes, as: UTF8.self), let folder = GitFolder(of: RootPath.join(root.absolute, path)) else {
        continue
      }
      if folder.isRepository { folders[tree] = folder }
    }
    for tree in repositories.keys where folders[tree] == nil {
      repositories[tree] = nil
      settler.git(.gone, in: tree, at: now)
    }
    for (tree, folder) in folders where repositories[tree]?.folder != folder {
      let signs = folder.signs()
      repositories[tree] = (folder, signs)
      if tree != .root { settler.addTree(tree, submoduleOf: nil) }
      settler.git(.found(signs, isAtWork: !isFirst && tree != .root && folder.hasIndex), in: tree, at: now)
    }
  }

  private func readSigns(_ settler: inout Settler, at now: Instant) {
    for (tree, (folder, known)) in repositories {
      let found = folder.signs()
      for sign in found.subtracting(known) { settler.git(.appeared(sign), in: tree, at: now) }
      for sign in known.subtracting(found) { settler.git(.disappeared(sign, isUsed: true), in: tree, at: now) }
      repositories[tree] = (folder, found)
    }
  }
}
