import CLinux
import Glibc
import SystemPackage

/// A file that was read and will be replaced or deleted. It stays open, so that its inode number is
/// not reused.
///
/// A program that has a file open keeps writing to it, whatever its name. A read lease shows if there is such
/// a program, and delays the next one. Only the owner and root can get a lease, and not on every file system.
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

  static func acquireLease(_ file: CInt) -> CInt { clinux_acquire_lease(file) == 0 ? 0 : errno }

  /// A file that still has the `known` text is not parsed again. Without `lease`, none is acquired.
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

  var mode: mode_t? { (try? FileStatus(of: file.descriptor)).map { $0.mode & 0o7777 } }

  var hasSameAttributes: Bool {
    (try? FileStatus(of: file.descriptor))?.stamp.changed == content.stamp.changed
  }

  /// Marks the file as needed for our other writers, until it is closed. Returns false where files
  /// cannot be locked; `Leftover.sweep` keeps such files for much longer than a grace period.
  @discardableResult func mark(betweenTries wait: () -> Void = { usleep(500) }) -> Bool {
    // Another process may hold the lock briefly while it checks for marks.
    for _ in 0..<100 {
      if flock(file.descriptor, LOCK_SH | LOCK_NB) == 0 { return true }
      if errno != EWOULDBLOCK, errno != EINTR { return false }
      wait()
    }
    return false
  }

  /// True if it cannot be parsed, was written a moment ago and has no lease: the writing may go on.
  var mayBeHalfWritten: Bool {
    if hasLease { return false }
    if case .success = content.text.fields { return false }
    return Int64(time(nil)) - content.stamp.modified.seconds <= 1
  }

  /// Returns its current content, whatever its name; nil if that is what was read.
  func changedBytes() throws(Problem) -> [UInt8]? {
    if hasSameBytes, (try? FileStatus(of: file.descriptor))?.stamp.size == content.stamp.size { return nil }
    do throws(Errno) {
      return try FileDescriptor(rawValue: file.descriptor).contents()
    } catch {
      throw Problem("Reading the replaced file", error.rawValue, consequence: "")
    }
  }

  /// Returns true if the name still belongs to this file, and no program wrote to it or is about to.
  func isUntouched(at name: RelativePath, in folder: SaveFolder) -> Bool {
    guard let found = folder.stamp(of: name), found.size == content.stamp.size else { return false }
    guard found.identity == content.stamp.identity else {
      return found.modified == content.stamp.modified && hasSameBytes(name, in: folder)
    }
    return hasSameBytes && (!hasLease || clinux_lease_holds(file.descriptor) == 1)
  }

  /// For overlay file systems, which may change the inode number when a file is renamed.
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
struct FileContent {
  let text: ItemText
  let stamp: FileStamp

  var bytes: [UInt8] { text.bytes }
}

extension EditSession {
  /// Reads items with the texts of their files. With `waits`, for a moment also those that are missing.
  package mutating func readAll(_ ids: [Item.ID], waits: Bool = true) -> [Result<ItemFile, EditError>] {
    if waits {
      self.await(ids)
      return ids.map { id in Result { () throws(EditError) in try read(id) } }
    }
    let known = absent
    defer { absent = known }
    absent.formUnion(ids)
    return ids.map { id in Result { () throws(EditError) in try read(id) } }
  }

  private mutating func read(_ id: Item.ID) throws(EditError) -> ItemFile {
    let (path, content) = try current(id)
    do throws(TextError) {
      let item = Item(id: id, path: path, stamp: content.stamp, fields: try content.text.fields.get())
      return ItemFile(item: item, format: content.text.format, bytes: content.text.bytes)
    } catch {
      throw EditError(id, path, error)
    }
  }

  /// Reads the text of an item. One that cannot be read as an item has no fields.
  package mutating func readText(_ id: Item.ID) throws(EditError) -> ItemFile {
    let (path, content) = try current(id)
    let text = content.text
    if let found = ForeignFrontMatter(of: text.bytes, as: text.format) {
      throw EditError(.unreadable, id, path, found.finding, advice: ForeignFrontMatter.advice)
    }
    let fields = (try? text.fields.get()) ?? PackedValue(.map([:]))
    let item = Item(id: id, path: path, stamp: content.stamp, fields: fields)
    return ItemFile(item: item, format: text.format, bytes: text.bytes)
  }

  /// Returns the file of an item, waiting for a moment if it disappears after it was located.
  private mutating func current(_ id: Item.ID) throws(EditError) -> (RelativePath, FileContent) {
    var timer = GapTimer()
    while true {
      let path = try locate(id)
      guard let format = locator.rules.format(of: path) else {
        throw EditError(.notFound, id, path, "There is no item with this id.")
      }
      if let content = try content(of: id, path, format) { return (path, content) }
      if timer.isOver() { throw EditError(.notFound, id, path, "The file is gone.") }
      usleep(1_000)
    }
  }

  func content(of id: Item.ID, _ path: RelativePath, _ format: TextFormat) throws(EditError) -> FileContent? {
    do throws(Problem) {
      guard case .held(let held) = try HeldFile.read(path, in: locator.root, as: format, limits) else {
        return nil
      }
      return held.content
    } catch {
      throw EditError(id, path, error)
    }
  }

  /// Reads the file of a target in its locked folder. Waits for a moment while the file is missing
  /// or half written, and for up to `maxWriteTime` while another program has it open for writing.
  mutating func readSettled(_ target: EditTarget, in folder: SaveFolder) throws(EditError) -> HeldFile? {
    let start = ContinuousClock.now
    var missing = gapTimer(of: target.change.id)
    var incomplete = GapTimer()
    while true {
      switch try read(target, in: folder) {
      case .missing:
        if target.isNew || missing.isOver() { return nil }
      case .held(let file):
        let mayWait = file.mayBeHalfWritten && target.change.act != .delete
        if !mayWait || incomplete.isOver() { return file }
      case .inUse:
        if ContinuousClock.now > start + min(EditSession.maxWriteTime, patience) {
          throw target.error(
            .busy, "Another program has the file open for writing.", advice: "Try again when it is done.")
        }
      }
      commit()
      usleep(1_000)
    }
  }

  private mutating func read(_ target: EditTarget, in folder: SaveFolder) throws(EditError)
    -> HeldFile.Finding
  {
    let name = target.path.ownName
    do throws(Problem) {
      // A new item has no file whose writers matter.
      if target.isNew { return try HeldFile.read(name, in: folder.folder, as: target.format, limits) }
      let known = target.content?.text
      let device = folder.device
      if grantsLeases[device] ?? true {
        let found = try HeldFile.read(
          name, in: folder.folder, as: target.format, limits, knowing: known, lease: abilities.acquireLease)
        guard case .inUse = found else { return found }
        let isGranted = grantsLeases[device] ?? folder.grantsLeases(abilities)
        grantsLeases[device] = isGranted
        if isGranted { return found }
      }
      return try HeldFile.read(name, in: folder.folder, as: target.format, limits, knowing: known)
    } catch {
      throw EditError(target.change.id, target.path, error)
    }
  }
}
