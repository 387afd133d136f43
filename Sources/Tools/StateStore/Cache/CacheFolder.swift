import Glibc
import Store
import SystemPackage
import Streams

/// The folder of the cache files: one per data set, private to the user, and safe to delete.
struct CacheFolder {
  /// The folder in which programs keep what they can make again.
  let home: String
  var path: String { "\(home)/notes-watch" }

  static let maxSize = 1 << 30
  /// A file that no program used for this time is removed.
  static let maxAge = 30 * CacheFolder.day
  /// A file that is used is marked as used once in this time.
  static let day = 24 * 60 * 60
  /// A file that is not complete after this time was left by a program that was killed.
  private static let maxWritingTime = 60 * 60

  private static let suffix = ".cache"
  private static let newPrefix = ".new-"

  static func name(of identity: ContentDigest) -> String { identity.text + suffix }

  func open(_ name: String) -> Descriptor? {
    try? Descriptor.open("\(path)/\(name)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  }

  /// Opens the folder for changes, and creates it. Nobody else may enter it, because its files hold
  /// what the user's items hold.
  ///
  /// - Throws: `permissionDenied` if the folder belongs to another user: a program that runs with
  ///   the rights of another user leaves nothing there.
  func openForWriting() throws(Errno) -> Descriptor {
    for folder in [home, path] { try CacheFolder.make(folder) }
    let folder = try Descriptor.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    var status = stat()
    try systemCall { fstat(folder.raw, &status) }
    guard status.st_uid == geteuid() else { throw .permissionDenied }
    if status.st_mode & (S_IRWXG | S_IRWXO) != 0 { try systemCall { fchmod(folder.raw, S_IRWXU) } }
    return folder
  }

  /// Creates a folder if there is none.
  ///
  /// - Throws: `permissionDenied` if root would create it in a folder of another user (`sudo` may keep
  ///   `HOME`): that user could not enter it.
  private static func make(_ folder: String) throws(Errno) {
    var status = stat()
    if stat(folder, &status) == 0 { return }
    let parent = FilePath(folder).removingLastComponent().string
    try systemCall { stat(parent, &status) }
    guard geteuid() != 0 || status.st_uid == 0 else { throw .permissionDenied }
    if mkdir(folder, S_IRWXU) != 0, errno != EEXIST { throw .current }
  }

  /// Marks a file as used now, unless that was done in the last day, and then removes what expired.
  /// Its content stays as it is.
  func markAsUsed(_ file: CInt, named name: String) {
    var status = stat()
    guard fstat(file, &status) == 0, abs(time(nil) - status.st_mtim.tv_sec) > CacheFolder.day,
      futimens(file, nil) == 0,
      let folder = try? openForWriting()
    else { return }
    CacheFolder.sweep(folder.raw, keeping: name)
  }

  /// Writes a file beside the data set's, then puts it in its place. On failure the old file stays.
  func replace(_ name: String, _ body: (CInt) throws(Errno) -> Void) throws(Errno) {
    let folder = try openForWriting()
    let new = "\(CacheFolder.newPrefix)\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let file = Descriptor(
      owning: try systemCall {
        openat(folder.raw, new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR)
      })
    do throws(Errno) {
      try body(file.raw)
      try systemCall { renameat(folder.raw, new, folder.raw, name) }
    } catch {
      unlinkat(folder.raw, new, 0)
      throw error
    }
    CacheFolder.sweep(folder.raw, keeping: name)
  }

  static func write(_ bytes: [UInt8], at offset: Int, to file: CInt) throws(Errno) {
    try bytes.withUnsafeBufferPointer { bytes throws(Errno) in
      try write(UnsafeRawBufferPointer(bytes), at: offset, to: file)
    }
  }

  /// Writes bytes at a place of a file.
  ///
  /// - Throws: `fileTooLarge` before the file exceeds a limit of this process (`ulimit -f`): the
  ///   system would end the process.
  static func write(_ bytes: UnsafeRawBufferPointer, at offset: Int, to file: CInt) throws(Errno) {
    var limit = rlimit()
    if offset + bytes.count > CacheFolder.maxSize { throw .fileTooLarge }
    if getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0,
      UInt64(offset + bytes.count) > limit.rlim_cur
    {
      throw .fileTooLarge
    }
    var done = 0
    while done < bytes.count {
      done += try systemCall {
        pwrite(file, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
      }
    }
  }

  func remove(_ name: String) { unlink("\(path)/\(name)") }

  /// Removes the files that expired, those that were never completed, and then those that were used
  /// least recently until the rest is within the size limit.
  private static func sweep(_ folder: CInt, keeping kept: String) {
    let now = time(nil)
    var files: [(name: String, used: Int, size: Int)] = []
    for name in names(in: folder) {
      var status = stat()
      guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG
      else { continue }
      let used = status.st_mtim.tv_sec
      if name.hasPrefix(newPrefix) {
        if abs(now - used) > maxWritingTime { unlinkat(folder, name, 0) }
      } else if name.hasSuffix(suffix) {
        files.append((name, used, Int(status.st_size)))
      }
    }
    var total = files.first { $0.name == kept }?.size ?? 0
    for file in files.sorted(by: { $0.used > $1.used }) where file.name != kept {
      total += file.size
      if total <= maxSize, now - file.used <= maxAge { continue }
      total -= file.size
      unlinkat(folder, file.name, 0)
    }
  }

  private static func names(in folder: CInt) -> [String] {
    guard let copy = try? Descriptor.reopening(folder: folder) else { return [] }
    let raw = copy.release()
    guard let stream = fdopendir(raw) else {
      close(raw)
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }
}
