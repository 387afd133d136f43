import Files
import Glibc
import Synchronization
import SystemPackage
import Processes

/// The file of a state: its content, its lock and its replacement.
struct StateFile {
  /// The path without links.
  let path: String
  /// True if the user gave the path. Then a file with unknown content is not replaced.
  let isOwnFile: Bool

  enum Content: Equatable {
    /// No file, or an empty one.
    case nothing
    /// A database of ours, readable or not.
    case state
    /// A file with other content, which may be replaced.
    case foreign
    /// No state can be here. The reason is the end of a sentence.
    case unusable(reason: String)
  }

  /// Resolves the links of a location, and creates the folders for a name.
  init(_ location: StateLocation) throws(Errno) {
    isOwnFile = location.isOwnFile
    if !isOwnFile { try StateFile.makeFolders(location.folder) }
    if let path = realPath(location.file) {
      self.path = path
      return
    }
    guard let folder = realPath(location.folder) else { throw .current }
    let name = location.file.split(separator: "/").last ?? ""
    path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }

  /// Creates the missing folders of a path, for this user alone.
  private static func makeFolders(_ path: String) throws(Errno) {
    var folder = ""
    for name in path.split(separator: "/") {
      folder += "/\(name)"
      if mkdir(folder, 0o700) == 0 || errno == EEXIST { continue }
      let error = Errno.current
      // A folder of the path may exist although it must not be written.
      if access(folder, F_OK) != 0 { throw error }
    }
  }

  /// Creates a state's folder again if it was deleted, but not the folder of a path from the user.
  func restoreFolder() throws(Errno) {
    if !isOwnFile { try StateFile.makeFolders(folder) }
  }

  var folder: String { parentFolder(of: path) }

  var identity: FileIdentity? { try? FileStatus(in: AT_FDCWD, path).stamp.identity }

  private static let magic = Array("SQLite format 3\0".utf8)
  private static let applicationIDOffset = 68

  /// Returns the kind of content at the path. The process must not have the file open.
  func content() -> Content {
    if isOwnFile, let name = occupiedLog {
      return .unusable(reason: "SQLite would delete \(name); move that file, or name another state")
    }
    do {
      let status = try FileStatus(in: AT_FDCWD, path)
      if status.kind == S_IFDIR { return .unusable(reason: Errno.isDirectory.reason) }
      if !status.isRegularFile { return .unusable(reason: "it is not a regular file") }
      if status.isEmptyFile { return .nothing }
      let header = try Descriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).prefix(100)
      let number = header.dropFirst(StateFile.applicationIDOffset).prefix(4).reduce(Int64(0)) {
        $0 << 8 | Int64($1)
      }
      if header.starts(with: StateFile.magic), number == Connection.applicationID { return .state }
      return isOwnFile
        ? .unusable(reason: "the file is not a state of notes-watch, and is left as it is") : .foreign
    } catch {
      return error == .noSuchFileOrDirectory ? .nothing : .unusable(reason: error.reason)
    }
  }

  /// The suffixes of the logs that SQLite keeps beside a database. Ours has only the first one.
  private static let logs = ["-wal", "-journal", "-shm"]
  /// The first bytes of a write-ahead log, but for the last one.
  private static let logMagic: [UInt8] = [0x37, 0x7f, 0x06]

  /// The name of a file that is named like a log but isn't ours; nil if there is none.
  private var occupiedLog: String? {
    let hasState = access(path, F_OK) == 0
    return StateFile.logs.first { suffix in
      guard let status = try? FileStatus(in: AT_FDCWD, path + suffix) else { return false }
      if suffix != "-wal" || !status.isRegularFile { return true }
      // The log of a state may be damaged. Without a state, only its first bytes say whose it is.
      if hasState || status.isEmptyFile { return false }
      let bytes = try? Descriptor.open(path + suffix, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).prefix(
        StateFile.logMagic.count)
      return bytes != StateFile.logMagic
    }.map { "\(path)\($0)" }
  }

  /// The bytes that SQLite locks (`PENDING_BYTE` and the 511 after it).
  private static let lockStart: off_t = 0x4000_0000
  private static let lockLength: off_t = 512

  /// Returns the process that has the file open as a database, at most 0 if the system does not report
  /// it; nil if none has. This process must not have the file open.
  func owner() -> pid_t? {
    guard let file = try? Descriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return nil }
    var request = Glibc.flock()
    request.l_type = Int16(F_WRLCK)
    request.l_whence = Int16(SEEK_SET)
    request.l_start = StateFile.lockStart
    request.l_len = StateFile.lockLength
    guard fcntl(file.raw, F_GETLK, &request) == 0, request.l_type != Int16(F_UNLCK) else { return nil }
    return request.l_pid
  }

  /// Replaces the file in its open folder with one that `write` fills. On failure the old file stays.
  func replace(in folder: CInt, _ write: (_ path: String) throws -> Void) throws {
    switch content() {
    case .nothing, .foreign: break
    case .state: if owner() != nil { throw StateError.locked }
    case .unusable(let reason): throw StateError.refused(reason)
    }
    let name = path.split(separator: "/").last ?? ""
    let new = "\(self.folder)/.\(name).notes-watch-new"
    let parts = [""] + StateFile.logs
    for part in parts { unlink(new + part) }
    do {
      _ = try Descriptor.open(new, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW, mode: 0o600)
      try write(new)
      try Descriptor.open(new, O_RDWR | O_NOFOLLOW).sync()
      // The write-ahead log of the old file must not be applied to the new one.
      for part in parts.dropFirst() { unlink(path + part) }
      try systemCall { rename(new, path) }
    } catch {
      for part in parts { unlink(new + part) }
      throw error
    }
    try systemCall { fsync(folder) }
  }

  /// Lock: guards the files that are open as states in this process.
  private static let openPaths = Mutex<Set<String>>([])

  /// Counts the file as open in this process; false if it is open already. Closing any descriptor of a
  /// file releases all locks that the process has on it, so no other one may be opened here.
  func claim() -> Bool { StateFile.openPaths.withLock { $0.insert(path).inserted } }

  func release() { _ = StateFile.openPaths.withLock { $0.remove(path) } }

  private static let lockAttempts = 500
  private static let lockPause: CInt = 10

  /// Runs `body` while no other process opens or replaces a state in the folder. After five seconds
  /// it runs without the lock, as it does where the file system has none.
  func withFolderLock<Result, Failure: Error>(_ body: (CInt) throws(Failure) -> Result)
    throws(StateError) -> Result
  {
    do {
      let descriptor = try Descriptor.folder(folder)
      for _ in 0..<StateFile.lockAttempts {
        if flock(descriptor.raw, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { break }
        poll(nil, 0, StateFile.lockPause)
      }
      return try body(descriptor.raw)
    } catch {
      throw StateError(error)
    }
  }

  /// Runs `body` with the path of a private copy, for a state that cannot be written where it is:
  /// SQLite cannot read a database with a log in a folder that is read-only. The process must not
  /// have the file open.
  func withCopy<Result>(_ body: (_ path: String) throws -> Result) throws -> Result {
    var template = Array("/tmp/notes-watch-XXXXXX".utf8CString)  // The folder of the state cannot be written.
    guard mkdtemp(&template) != nil else { throw Errno.current }
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let copy = "\(folder)/state"
    let parts = ["", "-wal"]
    defer {
      for part in parts { unlink(copy + part) }
      rmdir(folder)
    }
    for part in parts { try StateFile.copy(path + part, to: copy + part) }
    return try body(copy)
  }

  private static func copy(_ path: String, to copy: String) throws(Errno) {
    do {
      let bytes = try Descriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).readAll()
      try Descriptor.open(copy, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, mode: 0o600).write(all: bytes)
    } catch  where error == .noSuchFileOrDirectory {
      return
    }
  }
}
