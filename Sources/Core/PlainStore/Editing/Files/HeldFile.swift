import CLinux
import Files
import Folder
import Glibc
import Query
import SystemPackage
import TextEdits
import Values

/// A file that was read and will be replaced or deleted. It stays open, so that its inode number is
/// not reused.
///
/// A program that has a file open keeps writing to it, whatever its name. A read lease shows if
/// there is such a program, and delays the next one. Only the owner and root can get a lease, and
/// not on every file system.
final class HeldFile: Sendable {
  let content: FileContent
  private let file: OpenFile
  /// True if no other program has it open for writing.
  let hasLease: Bool

  enum Finding {
    case missing
    /// Another program has it open for writing, or the file system grants no leases.
    case inUse
    case held(HeldFile)
  }

  /// Acquires a read lease. Returns 0 or the error.
  static func acquireLease(_ file: CInt) -> CInt { clinux_acquire_lease(file) == 0 ? 0 : errno }

  /// - Parameters:
  ///   - known: A text that was read before. If the file still has it, it is not parsed again.
  ///   - lease: Acquires a lease on the open file; nil to read it without a lease.
  static func read(
    _ name: RelativePath, in folder: OpenFolder, as format: TextFormat, _ limits: ReadLimits,
    knowing known: ItemText? = nil,
    lease: ((CInt) -> CInt)? = nil
  ) throws(Problem) -> Finding {
    guard let file = try folder.openFile(name) else { return .missing }
    // Acquired before reading: half of a text must not count as the text.
    let code = lease.map { $0(file.descriptor) } ?? EACCES
    if code == EAGAIN { return .inUse }
    let hasLease = code == 0
    var buffer: [UInt8] = []
    let count = try file.read(into: &buffer, within: limits)
    let isKnown = known.map { $0.format == format && $0.bytes[...] == buffer[..<count] } ?? false
    let text =
      if let known, isKnown { known } else { ItemText(Array(buffer[..<count]), as: format, limits: limits) }
    let content = FileContent(text: text, stamp: file.stamp)
    return .held(HeldFile(content, file, hasLease: hasLease))
  }

  private init(_ content: FileContent, _ file: consuming OpenFile, hasLease: Bool) {
    self.content = content
    self.file = file
    self.hasLease = hasLease
  }

  var descriptor: CInt { file.descriptor }

  /// The permissions of the file; nil if they cannot be read.
  var mode: mode_t? { (try? FileStatus(of: file.descriptor)).map { $0.mode & 0o7777 } }

  /// True if neither the file nor its attributes changed after it was read.
  var hasSameAttributes: Bool {
    (try? FileStatus(of: file.descriptor))?.stamp.changed == content.stamp.changed
  }

  /// Marks the file as needed for our other writers, until it is closed.
  ///
  /// - Returns: False where files cannot be locked. Nothing depends on it: `Leftover.sweep` keeps
  ///   such files for much longer than a grace period.
  @discardableResult func mark(betweenTries wait: () -> Void = { usleep(500) }) -> Bool {
    // Another process may hold the lock briefly while it checks for marks.
    for _ in 0..<100 {
      if flock(file.descriptor, LOCK_SH | LOCK_NB) == 0 { return true }
      if errno != EWOULDBLOCK, errno != EINTR { return false }
      wait()
    }
    return false
  }

  /// True if it cannot be parsed and was written a moment ago, without a lease: a program may still
  /// be writing it.
  var mayBeHalfWritten: Bool {
    if hasLease { return false }
    if case .success = content.text.fields { return false }
    return Int64(time(nil)) - content.stamp.modified.seconds <= 1
  }

  /// Returns its current content, whatever its name; nil if that is what was read.
  ///
  /// - Throws: if it cannot be read.
  func changedBytes() throws(SystemFailure) -> [UInt8]? {
    if hasSameBytes, (try? FileStatus(of: file.descriptor))?.stamp.size == content.stamp.size { return nil }
    do throws(Errno) {
      return try FileDescriptor(rawValue: file.descriptor).contents()
    } catch {
      throw SystemFailure("Reading the replaced file", error, consequence: "")
    }
  }

  /// Returns true if this name still belongs to this file, and no program wrote to it or is about
  /// to.
  func isUntouched(at name: RelativePath, in folder: SaveFolder) -> Bool {
    guard let found = folder.stamp(of: name), found.size == content.stamp.size else { return false }
    guard found.identity == content.stamp.identity else {
      return found.modified == content.stamp.modified && hasSameBytes(name, in: folder)
    }
    return hasSameBytes && (!hasLease || clinux_lease_holds(file.descriptor) == 1)
  }

  /// Compares the bytes of a file that has another inode number: an overlay file system may change
  /// the number when a file is renamed.
  private func hasSameBytes(_ name: RelativePath, in folder: SaveFolder) -> Bool {
    var buffer: [UInt8] = []
    do throws(Problem) {
      guard let other = try folder.folder.openFile(name) else { return false }
      let count = try other.read(into: &buffer, within: ReadLimits(maxSize: .max))
      return buffer[..<count] == content.bytes[...]
    } catch {
      return false
    }
  }

  /// Compares the bytes, because two writes within one tick of a coarse clock have the same time.
  private var hasSameBytes: Bool {
    FileDescriptor(rawValue: file.descriptor).prefix(content.bytes.count) == content.bytes
  }
}

/// The content of a file at one moment: its text, read once, and the stamp it had then.
struct FileContent: Sendable {
  let text: ItemText
  let stamp: FileStamp

  var bytes: [UInt8] { text.bytes }
}

/// A file that was replaced or deleted while programs that have it open for writing could not be
/// detected.
///
/// It keeps a temporary name until a grace period is over. Then `settle` checks if a program wrote
/// to it in the meantime.
struct ReplacedFile: Sendable {
  let held: HeldFile
  /// Its temporary name; nil if the file system could not give it one.
  let kept: RelativePath?
  /// The stamp of the file that took its place; nil if it was deleted.
  let placed: FileStamp?

  enum Finding {
    /// No program wrote to it. It is deleted.
    case unchanged(warnings: [String])
    /// Another program wrote to it. It has the item's name again.
    case restored(warnings: [String])
    /// Another program wrote to it, but another file has the item's name. The sentence says where
    /// the text is.
    case kept(String)
  }

  func settle(with saver: FileSaver) throws(SystemFailure) -> Finding {
    guard let kept else { return try settleWithoutName(saver) }
    guard saver.folder.stamp(of: kept) != nil else {
      // A person deleted it; its content can still be read.
      return try settleWithoutName(saver)
    }
    if held.isUntouched(at: kept, in: saver.folder) { return .unchanged(warnings: saver.remove(kept)) }
    return restore(kept, with: saver)
  }

  private func settleWithoutName(_ saver: FileSaver) throws(SystemFailure) -> Finding {
    guard let text = try held.changedBytes() else { return .unchanged(warnings: []) }
    let name = TemporaryName.old(
      read: TemporaryName.ContentStamp(held.content.stamp), new: nil,
      digest: TemporaryName.digest(held.content.bytes)
    )
    .make()
    _ = try saver.write(text, as: name, mode: 0o600) { file throws(SystemFailure) in
      try FileAttributes.copy(from: held.descriptor, to: file)
    }
    return restore(name, with: saver)
  }

  private func restore(_ kept: RelativePath, with saver: FileSaver) -> Finding {
    guard let placed else {
      var warnings: [String] = []
      return saver.rename(kept, toFreeName: &warnings) == 0
        ? .restored(warnings: warnings) : .kept(saver.kept(in: kept))
    }
    guard saver.folder.stamp(of: saver.name).map({ placed.isUntouched($0) }) ?? false else {
      return .kept(saver.kept(in: kept))
    }
    guard saver.abilities.exchanges, saver.folder.exchange(kept, saver.name) == 0 else {
      return .kept(saver.kept(in: kept))
    }
    if saver.folder.stamp(of: kept).map({ placed.isUntouched($0) }) ?? false {
      return .restored(warnings: saver.remove(kept))
    }
    // Another program was faster. Its file and the other text both stay.
    _ = saver.folder.exchange(kept, saver.name)
    return .kept(saver.kept(in: kept))
  }
}
