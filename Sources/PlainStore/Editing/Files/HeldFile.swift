import CLinux
import DirectoryWatch
import Glibc
import PlainText

/// A file that was read and is to be replaced or deleted, held open: so its number is not given to another, and, where the system allows it,
/// nobody can begin to write it unnoticed.
///
/// Somebody who has a file open writes into it whatever name it has by then. A read lease tells whether there is such a one, and stops the next.
/// Only the owner and root get one, and not on every file system.
final class HeldFile: Sendable {
  let content: FileContent
  private let file: OpenFile
  /// True if no other program has it open for writing.
  let hasLease: Bool

  enum Finding {
    case missing
    /// Somebody has it open for writing, or the file system grants no leases.
    case inUse
    case held(HeldFile)
  }

  /// 0, or what went wrong.
  static func acquireLease(_ file: CInt) -> CInt { clinux_take_lease(file) == 0 ? 0 : errno }

  /// - Parameter lease: takes a lease on an open file; nil to read it without one.
  static func read(
    _ name: RelativePath, in folder: OpenFolder, as format: TextFormat, _ limits: ReadLimits, lease: ((CInt) -> CInt)? = nil
  ) throws(Problem) -> Finding {
    guard let file = try folder.openFile(name) else { return .missing }
    // Before it is read: what is half written must not be taken for the text.
    let code = lease.map { $0(file.descriptor) } ?? EACCES
    if code == EAGAIN { return .inUse }
    let hasLease = code == 0
    var buffer: [UInt8] = []
    let count = try file.read(into: &buffer, within: limits)
    let content = FileContent(text: ItemText(Array(buffer[..<count]), as: format, limits: limits), stamp: file.stamp)
    return .held(HeldFile(content, file, hasLease: hasLease))
  }

  private init(_ content: FileContent, _ file: consuming OpenFile, hasLease: Bool) {
    self.content = content
    self.file = file
    self.hasLease = hasLease
  }

  var descriptor: CInt { file.descriptor }

  /// Tells other writers of ours that the file is still needed, until it is closed.
  ///
  /// - Returns: False where files cannot be locked. Nothing depends on it: `LeftoverSweep` keeps such files for much longer than a grace period.
  @discardableResult func mark(betweenTries wait: () -> Void = { usleep(500) }) -> Bool {
    // Another process may hold its lock for a moment, to see whether there is one.
    for _ in 0..<100 {
      if flock(file.descriptor, LOCK_SH | LOCK_NB) == 0 { return true }
      if errno != EWOULDBLOCK, errno != EINTR { return false }
      wait()
    }
    return false
  }

  /// True if it could not be parsed, and was written a moment ago without a lease: a program may be writing it.
  var mayBeHalfWritten: Bool {
    if hasLease { return false }
    if case .success = content.text.fields { return false }
    return Int64(time(nil)) - content.stamp.modified.seconds <= 1
  }

  /// What it holds now, whatever its name is; nil if that is what was read.
  ///
  /// - Throws: if it cannot be read.
  func changedBytes() throws(SystemFailure) -> [UInt8]? {
    if hasSameBytes, FileStamp(of: file.descriptor)?.size == content.stamp.size { return nil }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = pread(file.descriptor, &room, room.count, off_t(bytes.count))
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw SystemFailure("Reading the replaced file", errno, consequence: "") }
      if count == 0 { return bytes }
      bytes += room[..<count]
    }
  }

  /// Whether what has this name in the folder is this file, not written since it was read, and nobody is about to.
  func isUntouched(at name: RelativePath, in folder: SaveFolder) -> Bool {
    guard let found = folder.stamp(of: name), found.size == content.stamp.size else { return false }
    guard found.device == content.stamp.device, found.inode == content.stamp.inode else {
      return found.modified == content.stamp.modified && hasSameBytes(name, in: folder)
    }
    return hasSameBytes && (!hasLease || clinux_lease_holds(file.descriptor) == 1)
  }

  /// An overlay may give a file another number when it gets another name. If it is not that, it is at least the same text, written at the same moment.
  private func hasSameBytes(_ name: RelativePath, in folder: SaveFolder) -> Bool {
    var buffer: [UInt8] = []
    do throws(Problem) {
      guard let other = try folder.folder.openFile(name) else { return false }
      let count = try other.read(into: &buffer, within: ReadLimits(maximumSize: .max))
      return buffer[..<count] == content.bytes[...]
    } catch {
      return false
    }
  }

  /// Where times are coarse, two writes within one tick differ in nothing but what they wrote.
  private var hasSameBytes: Bool {
    let count = content.bytes.count
    let now = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count {
        let got = pread(file.descriptor, buffer.baseAddress.map { $0 + initialized }, count - initialized, off_t(initialized))
        if got < 0, errno == EINTR { continue }
        if got <= 0 { return }
        initialized += got
      }
    }
    return now == content.bytes
  }
}
