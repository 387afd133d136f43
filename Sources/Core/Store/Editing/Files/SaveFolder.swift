import CLinux
import Glibc
import SystemPackage

/// A folder in which files are saved, and the advisory lock that keeps our writers apart. Calls that
/// return a number return 0 or the error.
///
/// It stays open, so a save happens in one folder even if the folder is renamed in the meantime.
final class SaveFolder: Sendable {
  let folder: OpenFolder
  private var descriptor: CInt { folder.descriptor }

  init(_ folder: OpenFolder) {
    self.folder = folder
  }

  static func open(_ path: RelativePath, below root: OpenFolder) throws(Problem) -> SaveFolder? {
    do throws(Problem) {
      return SaveFolder(try opened(path, in: root, "Opening its folder"))
    } catch {
      if error.error == .noSuchFileOrDirectory { return nil }
      throw error
    }
  }

  /// Opens a folder and creates missing ones on the path, which are returned, outermost first.
  /// `sync(parentsOf:below:)` brings these to the disk. If it throws, they are removed.
  static func make(_ path: RelativePath, below root: OpenFolder) throws(Problem) -> (
    folder: SaveFolder, made: [RelativePath]
  ) {
    if let folder = try open(path, below: root) { return (folder, []) }
    var made: [RelativePath] = []
    do throws(Problem) {
      let folder = try make(path, below: root, &made)
      return (folder, made)
    } catch {
      remove(made, below: root)
      throw error
    }
  }

  private static func make(_ path: RelativePath, below root: OpenFolder, _ made: inout [RelativePath])
    throws(Problem) -> SaveFolder
  {
    var parent = try opened(.root, in: root, "Opening the root")
    var way = RelativePath.root
    for name in path.bytes.split(separator: UInt8(ascii: "/")) {
      way = way.appending(name: name)
      let name = RelativePath(bytes: name)
      if name.withCString({ mkdirat(parent.descriptor, $0, 0o777) }) == 0 {
        made.append(way)
      } else if errno != EEXIST {
        throw Problem("Creating the folder \(name)", errno)
      }
      parent = try opened(name, in: parent, "Opening the folder \(way)")
    }
    return SaveFolder(parent)
  }

  private static func opened(_ name: RelativePath, in parent: OpenFolder, _ action: String) throws(Problem)
    -> OpenFolder
  {
    try Problem.of(action) { () throws(Errno) in
      OpenFolder(try Descriptor.folder(beneath: parent.descriptor, name))
    }
  }

  static func remove(_ made: [RelativePath], below root: OpenFolder) {
    for path in made.reversed() {
      guard let parent = path.parent, let folder = try? open(parent, below: root) else { return }
      _ = path.ownName.withCString { unlinkat(folder.descriptor, $0, AT_REMOVEDIR) }
    }
  }

  static func sync(parentsOf made: [RelativePath], below root: OpenFolder) -> CInt {
    // If a folder is gone, so is what was created in it.
    made.lazy.compactMap { $0.parent.flatMap { try? open($0, below: root) }?.sync() }.first { $0 != 0 } ?? 0
  }

  /// Locks the folder against our writers in all processes, as long as this object lives.
  func lock(patience: Duration) throws(Problem) -> LockResult {
    try SaveFolder.lock(descriptor, patience: patience)
  }

  static func lock(_ descriptor: CInt, patience: Duration = .zero) throws(Problem) -> LockResult {
    let end = ContinuousClock.now + patience
    var pause: UInt32 = 500
    while flock(descriptor, LOCK_EX | LOCK_NB) < 0 {
      switch errno {
      case EINTR: break
      case EWOULDBLOCK:
        if ContinuousClock.now > end { return .busy }
        usleep(pause)
        pause = min(pause * 2, 10_000)
      case ENOTSUP, ENOSYS, EINVAL, EBADF, ENOLCK: return .none
      default: throw Problem("Locking its folder", errno)
      }
    }
    return .held
  }

  func unlock() { _ = flock(descriptor, LOCK_UN) }

  enum LockResult {
    case held, busy
    case none
  }

  func makeFile(_ name: RelativePath, mode: mode_t) throws(Problem) -> Descriptor {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    return try Problem.of("Creating a temporary file beside it") { () throws(Errno) in
      Descriptor(owning: try systemCall { name.withCString { openat(descriptor, $0, flags, mode) } })
    }
  }

  /// Opens a file of our own for reading and appending. `flags` may create it.
  func openOwn(_ name: RelativePath, _ flags: CInt = 0) throws(Problem) -> Descriptor {
    let flags = flags | O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    return try Problem.of("Opening \(name)") { () throws(Errno) in
      Descriptor(owning: try systemCall { name.withCString { openat(descriptor, $0, flags, 0o600) } })
    }
  }

  func checkWritable(_ name: RelativePath) throws(Problem) {
    if name.withCString({ name in retryOnInterrupt { faccessat(descriptor, name, W_OK, AT_EACCESS) } }) < 0 {
      let code = errno
      // The save itself reports a missing file.
      if code != ENOENT { throw Problem("Writing it", code) }
    }
  }

  func exchange(_ a: RelativePath, _ b: RelativePath) -> CInt { rename(a, b, CLINUX_RENAME_EXCHANGE) }

  /// Returns EEXIST if the new name exists.
  func renameKeeping(_ old: RelativePath, to new: RelativePath, in other: SaveFolder? = nil) -> CInt {
    rename(old, new, CLINUX_RENAME_NOREPLACE, in: other)
  }

  func renameReplacing(_ old: RelativePath, to new: RelativePath) -> CInt { rename(old, new, 0) }

  private func rename(
    _ old: RelativePath, _ new: RelativePath, _ flags: UInt32, in other: SaveFolder? = nil
  ) -> CInt {
    call(old, new, in: other) { clinux_move($0, $1, $2, $3, flags) }
  }

  func link(_ old: RelativePath, to new: RelativePath, in other: SaveFolder? = nil) -> CInt {
    call(old, new, in: other) { linkat($0, $1, $2, $3, 0) }
  }

  private func call(
    _ old: RelativePath, _ new: RelativePath, in other: SaveFolder?,
    _ body: (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>) -> CInt
  ) -> CInt {
    old.withCString { old in
      new.withCString { new in
        retryOnInterrupt { body(descriptor, old, (other ?? self).descriptor, new) } < 0 ? errno : 0
      }
    }
  }

  func unlink(_ name: RelativePath) -> CInt {
    name.withCString { name in retryOnInterrupt { unlinkat(descriptor, name, 0) } < 0 ? errno : 0 }
  }

  var device: UInt64 { identity.device }

  var identity: FileIdentity {
    (try? FileStatus(of: descriptor))?.stamp.identity ?? FileIdentity(device: 0, inode: 0)
  }

  /// Opens a file and returns its descriptor, for the caller to close; nil if that fails.
  func openForReading(_ name: RelativePath) -> CInt? {
    let file = name.withCString { name in
      retryOnInterrupt { openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    }
    return file < 0 ? nil : file
  }

  var reopened: SaveFolder? {
    guard let copy = try? Descriptor.reopening(folder: descriptor) else { return nil }
    return SaveFolder(OpenFolder(copy))
  }

  /// Returns true if the file system grants leases. Some network file systems refuse every lease with the
  /// same error as for a file in use, so this tries it with a new file that no other program has open.
  func grantsLeases(_ abilities: FileSaver.Abilities) -> Bool {
    let name = TemporaryName.new.make()
    // If no file can be created here, the save will fail with a better message.
    guard (try? makeFile(name, mode: 0o600)) != nil else { return true }
    defer { _ = unlink(name) }
    guard let file = openForReading(name) else { return true }
    defer { close(file) }
    return abilities.acquireLease(file) != EAGAIN
  }

  func stamp(of name: RelativePath) -> FileStamp? {
    do throws(Problem) { return try folder.stamp(of: name) } catch { return nil }
  }

  /// Counts as done on file systems that cannot sync a folder.
  func sync() -> CInt {
    if retryOnInterrupt({ fsync(descriptor) }) == 0 { return 0 }
    return [EINVAL, ENOTSUP, ENOSYS].contains(errno) ? 0 : errno
  }

  /// True if `syncFileSystem` reports every failure since this folder was opened.
  var reportsSyncErrors: Bool { clinux_reports_sync_errors(descriptor) == 1 }

  /// Never repeated after a failure: the system may have dropped the unwritten data, and the next
  /// call would succeed.
  func syncFileSystem() -> CInt { retryOnInterrupt { clinux_sync_file_system(descriptor) } == 0 ? 0 : errno }
}

extension RelativePath {
  var ownName: RelativePath { RelativePath(printed: String(name)) ?? .root }
}

extension EditSession {
  /// Opens, locks and sweeps the folder of the file, unless the batch has it; creates it for a new item.
  mutating func open(_ target: EditTarget, _ created: inout [RelativePath]) throws(EditError) -> SaveFolder? {
    let parent = target.path.parent ?? .root
    if let known = batch.folder(parent) { return known.folder }
    do throws(Problem) {
      var folder = try SaveFolder.open(parent, below: locator.root)
      if folder == nil, mayCreate(target) {
        (folder, created) = try SaveFolder.make(parent, below: locator.root)
      }
      guard let folder else { return nil }
      if parent == .root, let lock = rootLock {
        if lock.isHeld { sweep(lock.folder, parent) }
        return lock.folder
      }
      var result = try folder.lock(patience: batch.isEmpty ? patience : .zero)
      if result == .busy, !batch.isEmpty {
        // The program that has the lock may be waiting for a folder of the batch.
        commit()
        result = try folder.lock(patience: patience)
      }
      switch result {
      case .held: sweep(folder, parent)
      case .none: break
      case .busy: throw Problem("Locking its folder, which another program keeps locked,", EBUSY)
      }
      return folder
    } catch {
      throw EditError(target.change.id, target.path, error)
    }
  }

  func checkFolder(of target: EditTarget) throws(EditError) {
    do throws(Problem) {
      _ = try SaveFolder.open(target.path.parent ?? .root, below: locator.root)
    } catch {
      throw EditError(target.change.id, target.path, error)
    }
  }

  private func mayCreate(_ target: EditTarget) -> Bool {
    if target.change.isCheck { return false }
    switch resolver.policy {
    case .mergeByPropertyObjectTrump, .overwrite:
      return target.isNew
        || target.change.revision != nil && target.change.act != .delete && target.change.undo == nil
    case .error, .mergeByPropertyStoreTrump, .rollback: return target.isNew
    }
  }

  /// Removes the leftovers of interrupted saves from a locked folder, once per folder.
  mutating func sweep(_ folder: SaveFolder, _ path: RelativePath) {
    guard knownFolders.sweeps(path) else { return }
    for leftover in Leftover.sweep(folder, abilities) { warnings.append(leftover.sentence(in: path)) }
  }

  /// Locks the root where ids are fields, and reads what changed since it was last held.
  mutating func lockIDs(for id: Item.ID) throws(EditError) {
    guard !locator.idFields.isEmpty else { return }
    if let lock = rootLock {
      if ContinuousClock.now < lock.end { return }
      commit()
      rootLock = nil
      // Longer than waiting writers sleep between two tries.
      usleep(15_000)
    }
    do throws(Problem) {
      guard let root = try SaveFolder.open(.root, below: locator.root) else {
        throw Problem("Opening the root", ENOENT)
      }
      let result = try root.lock(patience: patience)
      if result == .busy {
        throw Problem("Locking the root, which another program keeps locked,", EBUSY)
      }
      let start = ContinuousClock.now
      locator.refresh()
      let now = ContinuousClock.now
      rootLock = (root, result == .held, now + max(.milliseconds(200), (now - start) * 4))
    } catch {
      throw EditError(id, .root, error)
    }
  }
}
