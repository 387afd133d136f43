import DiffableSnapshot
import Files
import Glibc
import PlainStore

/// The record files of the last runs of a command, and the writes in them that no change was
/// compared with yet.
///
/// Each write is compared with one change, the first one of its file. That change is ignored if it
/// begins with exactly the version that was replaced, and the file still has exactly the recorded
/// content. If another program saved the file just before, the change is also its own. Later changes
/// to the same content count as changes of other programs.
struct RunRecords {
  /// The number of runs whose records are kept, because processes of a run can outlive it.
  static let maxRuns = 20
  /// The message if no folder for records can be made.
  static let missingFolder = "--ignore-own has no effect: the folder for records of runs cannot be made. Set XDG_STATE_HOME."

  /// The age in seconds after which a file belongs to a watch that was killed.
  private static let maxAge = 86_400
  /// The maximum number of bytes that a run may record.
  private static let maxLength = 16 << 20

  /// The record file of one run.
  private struct RecordFile {
    let run: RunID
    /// The number of bytes that were read.
    var offset = 0
    /// False after bytes that are not entries were found in it.
    var isValid = true
  }

  private let folder: String
  private let root: [UInt8]
  private var files: [RecordFile] = []
  /// The last unused write of each path.
  private var writes: [[UInt8]: OwnWrite] = [:]

  /// Makes the folder for record files, and removes the files of watches that were killed.
  ///
  /// - Returns: Nil if the folder does not exist and cannot be made.
  init?(root: String, environment: [String: String]) {
    guard let folder = OwnWrites.folder(environment), let root = realPath(root), RunRecords.makeFolder(folder) else { return nil }
    self.folder = folder
    self.root = Array(root.utf8)
    removeOldFiles()
  }

  /// Makes a folder and those above it, for this user only.
  private static func makeFolder(_ path: String) -> Bool {
    for (index, byte) in path.utf8.enumerated() where byte == UInt8(ascii: "/") && index > 0 {
      mkdir(String(decoding: path.utf8.prefix(index), as: UTF8.self), 0o700)
    }
    if mkdir(path, 0o700) == 0 { return true }
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid() && access(path, W_OK | X_OK) == 0
  }

  private func removeOldFiles() {
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    let now = time(nil)
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      var status = stat()
      guard RunID(name) != nil, lstat("\(folder)/\(name)", &status) == 0, status.st_mtim.tv_sec + RunRecords.maxAge < now else { continue }
      unlink("\(folder)/\(name)")
    }
  }

  /// Makes the record file of a run that is about to begin.
  mutating func begin(_ run: RunID) {
    // The folder may be removed at any time.
    let isMade = makeFile(run) || RunRecords.makeFolder(folder) && makeFile(run)
    if isMade { files.append(RecordFile(run: run)) }
    while files.count > RunRecords.maxRuns { unlink("\(folder)/\(files.removeFirst().run)") }
  }

  private func makeFile(_ run: RunID) -> Bool {
    (try? Descriptor.open("\(folder)/\(run)", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)) != nil
  }

  /// Removes all record files.
  mutating func end() {
    for file in files { unlink("\(folder)/\(file.run)") }
    files = []
    writes = [:]
  }

  /// Returns the rows of an update whose files were written by the command and not changed since.
  /// Removes the writes of all files of the update.
  mutating func ownChanges(in update: ResultsUpdate) -> Set<Item.ID> {
    read()
    if writes.isEmpty { return [] }
    var own: Set<Item.ID> = []
    var used: Set<[UInt8]> = []
    // The rows of one item have the same files.
    var isOwnByItem: [Item.ID: Bool] = [:]
    for change in update.diff.changes {
      let id = change.item.item
      let paths = paths(of: id, in: update)
      let isOwn = isOwnByItem[id] ?? paths.allSatisfy { hasRecordedContent($0, instead: oldStamp(at: $0, of: id, in: update)) }
      isOwnByItem[id] = isOwn
      used.formUnion(paths)
      if isOwn, !paths.isEmpty { own.insert(change.item) }
    }
    for path in used { writes[path] = nil }
    return own
  }

  /// Returns the paths of the files that a change of an item concerns: its old and its new one.
  private func paths(of id: Item.ID, in update: ResultsUpdate) -> Set<[UInt8]> {
    Set([update.old, update.new].compactMap { list in list.path(of: id).map { OwnWrite.path(root, $0) } })
  }

  /// Returns the stamp that the file of an item had before an update; nil if the item had another
  /// path or did not exist.
  private func oldStamp(at path: [UInt8], of id: Item.ID, in update: ResultsUpdate) -> FileStamp? {
    guard update.old.path(of: id).map({ OwnWrite.path(root, $0) }) == path else { return nil }
    return update.old.stamp(of: id)
  }

  /// Returns true if a file has exactly the content that was recorded last, or is absent as it was
  /// recorded, and if what was recorded began with its old version.
  private func hasRecordedContent(_ path: [UInt8], instead old: FileStamp?) -> Bool {
    guard let write = writes[path], write.replaced?.stamp == old.map(OwnWrite.Version.digest) else { return false }
    // The name may not be UTF-8.
    let name = path.map { CChar(bitPattern: $0) } + [0]
    let raw = retryOnInterrupt { open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    guard raw >= 0 else { return write.digest == nil && errno == ENOENT }
    let file = Descriptor(owning: raw)
    guard let digest = write.digest, (try? FileStatus(of: file.raw))?.isRegularFile == true, let content = try? file.contents() else {
      return false
    }
    return ContentDigest(of: content) == digest
  }

  /// Reads the entries that were added since the last call.
  private mutating func read() {
    for index in files.indices where files[index].isValid {
      guard let bytes = newBytes(of: files[index]), let (entries, length) = OwnWrite.entries(in: bytes[...]) else {
        files[index].isValid = false
        continue
      }
      files[index].offset += length
      for entry in entries { writes[entry.path] = entry.following(writes[entry.path]) }
    }
  }

  /// Returns the bytes that were not read yet; nil if the file was removed, replaced or shortened.
  private func newBytes(of file: RecordFile) -> [UInt8]? {
    guard let descriptor = try? Descriptor.open("\(folder)/\(file.run)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
      let status = try? FileStatus(of: descriptor.raw), status.isRegularFile,
      (UInt64(file.offset)...UInt64(RunRecords.maxLength)).contains(status.stamp.size),
      lseek(descriptor.raw, off_t(file.offset), SEEK_SET) >= 0
    else { return nil }
    return try? descriptor.readAll(upTo: RunRecords.maxLength)
  }
}
