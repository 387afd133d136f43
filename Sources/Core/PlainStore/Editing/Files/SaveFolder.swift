import CLinux
import Files
import Folder
import Glibc
import Query
import SystemPackage

/// A folder in which files are saved: the system calls of a save that take names, and the advisory
/// lock that keeps our writers apart.
///
/// It stays open, so a save happens in one folder even if the folder is renamed in the meantime.
final class SaveFolder: Sendable {
  let folder: OpenFolder
  private var descriptor: CInt { folder.descriptor }

  init(_ folder: OpenFolder) {
    self.folder = folder
  }

  /// Opens a folder below the root, never through a link. Nil if it does not exist.
  static func open(_ path: RelativePath, below root: OpenFolder) throws(SystemFailure) -> SaveFolder? {
    do throws(Errno) {
      return SaveFolder(OpenFolder(try Descriptor.folder(beneath: root.descriptor, path)))
    } catch {
      if error == .noSuchFileOrDirectory { return nil }
      throw SystemFailure("Opening its folder", error)
    }
  }

  /// Opens a folder and creates missing folders on the path. `sync(parentsOf:below:)` brings these
  /// to the disk.
  ///
  /// - Returns: The folder, and the folders that were created, outermost first. If it throws, they
  ///   are removed.
  static func make(_ path: RelativePath, below root: OpenFolder) throws(SystemFailure) -> (
    folder: SaveFolder, made: [RelativePath]
  ) {
    if let folder = try open(path, below: root) { return (folder, []) }
    var made: [RelativePath] = []
    do throws(SystemFailure) {
      let folder = try make(path, below: root, &made)
      return (folder, made)
    } catch {
      remove(made, below: root)
      throw error
    }
  }

  private static func make(_ path: RelativePath, below root: OpenFolder, _ made: inout [RelativePath])
    throws(SystemFailure) -> SaveFolder
  {
    var parent = try opened(.root, in: root, "Opening the root")
    var way = RelativePath.root
    for name in path.bytes.split(separator: UInt8(ascii: "/")) {
      way = way.appending(name: name)
      if try makeStep(RelativePath(bytes: name), in: parent.descriptor) { made.append(way) }
      parent = try opened(RelativePath(bytes: name), in: parent, "Opening the folder \(way)")
    }
    return SaveFolder(parent)
  }

  private static func opened(_ name: RelativePath, in parent: OpenFolder, _ action: String)
    throws(SystemFailure) -> OpenFolder
  {
    do throws(Errno) {
      return OpenFolder(try Descriptor.folder(beneath: parent.descriptor, name))
    } catch {
      throw SystemFailure(action, error)
    }
  }

  /// Creates one folder. Returns false if it existed.
  private static func makeStep(_ name: RelativePath, in parent: CInt) throws(SystemFailure) -> Bool {
    if name.withCString({ mkdirat(parent, $0, 0o777) }) < 0 {
      if errno == EEXIST { return false }
      throw SystemFailure("Creating the folder \(name)", errno)
    }
    return true
  }

  /// Removes folders that were created for a file that was not written, if they are empty.
  static func remove(_ made: [RelativePath], below root: OpenFolder) {
    for path in made.reversed() {
      guard let parent = path.parent, let folder = try? open(parent, below: root) else { return }
      _ = path.ownName.withCString { unlinkat(folder.descriptor, $0, AT_REMOVEDIR) }
    }
  }

  /// Writes the folders that contain created folders to the disk. Returns 0 or the error.
  static func sync(parentsOf made: [RelativePath], below root: OpenFolder) -> CInt {
    // If a folder is gone, so is what was created in it.
    made.lazy.compactMap { $0.parent.flatMap { try? open($0, below: root) }?.sync() }.first { $0 != 0 } ?? 0
  }

  // MARK: The lock

  /// Locks the folder against our writers in all processes, waiting for them. The lock ends with
  /// this object.
  func lock(patience: Duration) throws(SystemFailure) -> LockResult {
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
      default: throw SystemFailure("Locking its folder", errno)
      }
    }
    return .held
  }

  func unlock() { _ = flock(descriptor, LOCK_UN) }

  enum LockResult {
    case held, busy
    /// The file system has no locks.
    case none
  }

  // MARK: Names

  func makeFile(_ name: RelativePath, mode: mode_t) throws(SystemFailure) -> Descriptor {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    do throws(Errno) {
      return Descriptor(owning: try systemCall { name.withCString { openat(descriptor, $0, flags, mode) } })
    } catch {
      throw SystemFailure("Creating a temporary file beside it", error)
    }
  }

  func checkWritable(_ name: RelativePath) throws(SystemFailure) {
    if name.withCString({ name in retryOnInterrupt { faccessat(descriptor, name, W_OK, AT_EACCESS) } }) < 0 {
      let code = errno
      // The save itself reports a missing file.
      if code != ENOENT { throw SystemFailure("Writing it", code) }
    }
  }

  /// Exchanges two names. Returns 0 or the error.
  func exchange(_ a: RelativePath, _ b: RelativePath) -> CInt { rename(a, b, CLINUX_RENAME_EXCHANGE) }

  /// Renames a file unless the new name exists. Returns 0, EEXIST or another error.
  func renameKeeping(_ old: RelativePath, to new: RelativePath) -> CInt {
    rename(old, new, CLINUX_RENAME_NOREPLACE)
  }

  /// Moves a file to another folder unless the new name exists. Returns 0, EEXIST or another error.
  func renameKeeping(_ old: RelativePath, to new: RelativePath, in other: SaveFolder) -> CInt {
    old.withCString { old in
      new.withCString { new in
        retryOnInterrupt { clinux_move(descriptor, old, other.descriptor, new, CLINUX_RENAME_NOREPLACE) } < 0
          ? errno : 0
      }
    }
  }

  func renameReplacing(_ old: RelativePath, to new: RelativePath) -> CInt { rename(old, new, 0) }

  private func rename(_ old: RelativePath, _ new: RelativePath, _ flags: UInt32) -> CInt {
    old.withCString { old in
      new.withCString { new in retryOnInterrupt { clinux_rename(descriptor, old, new, flags) } < 0 ? errno : 0
      }
    }
  }

  func link(_ old: RelativePath, to new: RelativePath, in other: SaveFolder? = nil) -> CInt {
    old.withCString { old in
      new.withCString { new in
        retryOnInterrupt { linkat(descriptor, old, other?.descriptor ?? descriptor, new, 0) } < 0 ? errno : 0
      }
    }
  }

  /// Deletes a name. Returns 0 or the error.
  func unlink(_ name: RelativePath) -> CInt {
    name.withCString { name in retryOnInterrupt { unlinkat(descriptor, name, 0) } < 0 ? errno : 0 }
  }

  /// The number of its device; 0 if it is unknown.
  var device: UInt64 { identity.device }

  /// The numbers of its device and inode; 0 if they are unknown.
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

  /// A second descriptor of this folder, without the lock; nil if it cannot be opened.
  var reopened: SaveFolder? {
    guard let copy = try? Descriptor.reopening(folder: descriptor) else { return nil }
    return SaveFolder(OpenFolder(copy))
  }

  /// Returns true if the file system grants leases. Some network file systems refuse every lease
  /// with the same error as for a file in use, so this tries it with a new file that no other
  /// program has open.
  func grantsLeases(_ abilities: FileSaver.Abilities) -> Bool {
    let name = TemporaryName.new.make()
    // If no file can be created here, the save will fail with a better message.
    guard (try? makeFile(name, mode: 0o600)) != nil else { return true }
    defer { _ = unlink(name) }
    guard let file = openForReading(name) else { return true }
    defer { close(file) }
    return abilities.acquireLease(file) != EAGAIN
  }

  /// Returns the stamp of a file; nil if there is none or it cannot be read.
  func stamp(of name: RelativePath) -> FileStamp? {
    do throws(Problem) { return try folder.stamp(of: name) } catch { return nil }
  }

  /// Writes the folder to the disk. Returns 0 or the error. Counts as done on file systems that
  /// cannot sync a folder.
  func sync() -> CInt {
    if retryOnInterrupt({ fsync(descriptor) }) == 0 { return 0 }
    return [EINVAL, ENOTSUP, ENOSYS].contains(errno) ? 0 : errno
  }

  /// True if `syncFileSystem` reports every failure since this folder was opened.
  var reportsSyncErrors: Bool { clinux_reports_sync_errors(descriptor) == 1 }

  /// Writes everything on the file system of this folder to the disk. Returns 0 or the error.
  ///
  /// Never repeated after a failure: the system may have dropped the unwritten data, and the next
  /// call would succeed.
  func syncFileSystem() -> CInt { retryOnInterrupt { clinux_sync_file_system(descriptor) } == 0 ? 0 : errno }
}

extension RelativePath {
  var ownName: RelativePath { RelativePath(printed: String(name)) ?? .root }
}

/// A folder that a save created for an item. An undo removes it again.
struct MadeFolder: Sendable, Hashable {
  let path: RelativePath
  /// The numbers of its device and inode: a folder of this name that came later is a different one.
  let identity: FileIdentity

  /// Finds folders that were just created. Those that are gone already are left out.
  static func find(_ paths: [RelativePath], below root: OpenFolder) -> [MadeFolder] {
    paths.compactMap { path in
      (try? SaveFolder.open(path, below: root)).map { MadeFolder(path: path, identity: $0.identity) }
    }
  }

  /// Removes folders that are empty, the innermost one first.
  ///
  /// - Parameter folders: The folders, outermost first.
  static func remove(_ folders: [MadeFolder], below root: OpenFolder) {
    for made in folders.reversed() {
      guard let folder = try? SaveFolder.open(made.path, below: root), folder.identity == made.identity else {
        return
      }
      SaveFolder.remove([made.path], below: root)
    }
  }
}
