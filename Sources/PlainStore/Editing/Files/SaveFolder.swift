import CLinux
import DirectoryWatch
import Glibc
import LinuxFiles
import SystemPackage

/// A folder in which files are saved: the system calls of a save that go by name, and the lock that keeps writers of ours apart.
///
/// It is open, so all of a save happens in one folder, even where its name is given to another meanwhile.
final class SaveFolder: Sendable {
  let folder: OpenFolder
  private var descriptor: CInt { folder.descriptor }

  init(_ folder: OpenFolder) {
    self.folder = folder
  }

  /// Opens a folder below the root, never through a link. Nil where it is not there.
  static func open(_ path: RelativePath, below root: OpenFolder) throws(SystemFailure) -> SaveFolder? {
    do throws(Errno) {
      return SaveFolder(OpenFolder(try Descriptor.folder(beneath: root.descriptor, path)))
    } catch {
      if error == .noSuchFileOrDirectory { return nil }
      throw SystemFailure("Opening its folder", error)
    }
  }

  /// The same, making what is missing on the way, one folder in the other. Answers what it made too, outermost first; where it throws, nothing of that is left.
  static func make(_ path: RelativePath, below root: OpenFolder) throws(SystemFailure) -> (folder: SaveFolder, made: [RelativePath]) {
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

  private static func make(_ path: RelativePath, below root: OpenFolder, _ made: inout [RelativePath]) throws(SystemFailure) -> SaveFolder {
    var parent = try opened(.root, in: root, "Opening the root")
    var way = RelativePath.root
    for name in path.bytes.split(separator: UInt8(ascii: "/")) {
      way = way.appending(name: name)
      if try makeStep(RelativePath(bytes: name), in: parent.descriptor) {
        made.append(way)
        let code = sync(parent.descriptor)
        if code != 0 { throw SystemFailure("Bringing the folder \(way) to the disk", code) }
      }
      parent = try opened(RelativePath(bytes: name), in: parent, "Opening the folder \(way)")
    }
    return SaveFolder(parent)
  }

  private static func opened(_ name: RelativePath, in parent: OpenFolder, _ action: String) throws(SystemFailure) -> OpenFolder {
    do throws(Errno) {
      return OpenFolder(try Descriptor.folder(beneath: parent.descriptor, name))
    } catch {
      throw SystemFailure(action, error)
    }
  }

  /// Whether it was not there yet.
  private static func makeStep(_ name: RelativePath, in parent: CInt) throws(SystemFailure) -> Bool {
    if name.withCString({ mkdirat(parent, $0, 0o777) }) < 0 {
      if errno == EEXIST { return false }
      throw SystemFailure("Making the folder \(name)", errno)
    }
    return true
  }

  /// Takes away folders that were made for a file that did not come, as far as they are empty.
  static func remove(_ made: [RelativePath], below root: OpenFolder) {
    for path in made.reversed() {
      guard let parent = path.parent, let folder = try? open(parent, below: root) else { return }
      _ = path.ownName.withCString { unlinkat(folder.descriptor, $0, AT_REMOVEDIR) }
    }
  }

  // MARK: The lock

  /// Waits until no other writer of ours is in this folder, whatever process it is. The lock goes with the folder.
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
    /// There are none here.
    case none
  }

  // MARK: Names

  /// A new file that nobody else opens by mistake.
  func makeFile(_ name: RelativePath, mode: mode_t) throws(SystemFailure) -> NewFile {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    do throws(Errno) {
      return NewFile(Descriptor(owning: try systemCall { name.withCString { openat(descriptor, $0, flags, mode) } }))
    } catch {
      throw SystemFailure("Making a temporary file beside it", error)
    }
  }

  func checkWritable(_ name: RelativePath) throws(SystemFailure) {
    if name.withCString({ name in retryOnInterrupt { faccessat(descriptor, name, W_OK, AT_EACCESS) } }) < 0 {
      let code = errno
      // That it is gone is for the save to find out.
      if code != ENOENT { throw SystemFailure("Writing it", code) }
    }
  }

  /// 0, or what went wrong.
  func exchange(_ a: RelativePath, _ b: RelativePath) -> CInt { rename(a, b, CLINUX_RENAME_EXCHANGE) }

  /// The same; EEXIST where the name is taken.
  func renameKeeping(_ old: RelativePath, to new: RelativePath) -> CInt { rename(old, new, CLINUX_RENAME_NOREPLACE) }

  func renameReplacing(_ old: RelativePath, to new: RelativePath) -> CInt { rename(old, new, 0) }

  private func rename(_ old: RelativePath, _ new: RelativePath, _ flags: UInt32) -> CInt {
    old.withCString { old in
      new.withCString { new in retryOnInterrupt { clinux_rename(descriptor, old, new, flags) } < 0 ? errno : 0 }
    }
  }

  func link(_ old: RelativePath, to new: RelativePath) -> CInt {
    old.withCString { old in
      new.withCString { new in retryOnInterrupt { linkat(descriptor, old, descriptor, new, 0) } < 0 ? errno : 0 }
    }
  }

  /// 0, or what went wrong.
  func unlink(_ name: RelativePath) -> CInt {
    name.withCString { name in retryOnInterrupt { unlinkat(descriptor, name, 0) } < 0 ? errno : 0 }
  }

  /// The device that it is on; 0 where that cannot be found out.
  var device: UInt64 { (try? FileStatus(of: descriptor))?.stamp.identity.device ?? 0 }

  /// The descriptor of a regular file, for the caller to close; nil where there is none.
  func openForReading(_ name: RelativePath) -> CInt? {
    let file = name.withCString { name in retryOnInterrupt { openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) } }
    return file < 0 ? nil : file
  }

  /// The same folder, without its lock. Nil where it cannot be opened again.
  var reopened: SaveFolder? {
    guard let copy = try? Descriptor.reopening(folder: descriptor) else { return nil }
    return SaveFolder(OpenFolder(copy))
  }

  /// Returns true if the file system grants leases: on some network file systems a lease is refused with the same error as if the file were in use.
  /// Tries it with a file of its own, which nobody else has open.
  func grantsLeases(_ abilities: FileSaver.Abilities) -> Bool {
    let name = TemporaryName.new.make()
    // Where no file can be made, no file can be saved, which will say so better.
    guard (try? makeFile(name, mode: 0o600)) != nil else { return true }
    defer { _ = unlink(name) }
    guard let file = openForReading(name) else { return true }
    defer { close(file) }
    return abilities.acquireLease(file) != EAGAIN
  }

  /// Nil where nothing is there, or it cannot be told.
  func stamp(of name: RelativePath) -> FileStamp? {
    do throws(Problem) { return try folder.stamp(of: name) } catch { return nil }
  }

  /// 0, or what went wrong.
  func sync() -> CInt { SaveFolder.sync(descriptor) }

  /// Where the file system has no such thing as a folder on disk, it is as safe as it can be.
  private static func sync(_ folder: CInt) -> CInt {
    if retryOnInterrupt({ fsync(folder) }) == 0 { return 0 }
    return [EINVAL, ENOTSUP, ENOSYS].contains(errno) ? 0 : errno
  }
}

extension RelativePath {
  /// The last component as a path of its own.
  var ownName: RelativePath { RelativePath(printed: String(name)) ?? .root }
}
