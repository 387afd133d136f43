import Glibc

/// Files that git hands over, and those of its own that are edited: read and written as a whole. The calls of the system that this module makes.
enum WholeFile {
  static func read(_ path: String) throws(GitError) -> [UInt8] {
    let file = retrying { open(path, O_RDONLY | O_CLOEXEC) }
    guard file >= 0 else { throw failure(path, "opened", errno) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = retrying { Glibc.read(file, &room, room.count) }
      guard count >= 0 else { throw failure(path, "read", errno) }
      if count == 0 { return bytes }
      bytes += room[..<count]
    }
  }

  /// Nil where nothing is there.
  static func readIfThere(_ path: String) throws(GitError) -> [UInt8]? {
    access(path, F_OK) != 0 && errno == ENOENT ? nil : try read(path)
  }

  /// Into a file that is there and nobody else writes.
  static func write(_ bytes: [UInt8], to path: String) throws(GitError) {
    let file = retrying { open(path, O_WRONLY | O_TRUNC | O_CLOEXEC) }
    guard file >= 0 else { throw failure(path, "opened", errno) }
    defer { close(file) }
    try write(bytes, to: file, path)
  }

  /// As git does it: a lock beside it that becomes the file, so that it is there as it was or as it shall be.
  static func replace(_ path: String, with bytes: [UInt8]) throws(GitError) {
    let lock = path + ".lock"
    let file = retrying { open(lock, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666) }
    guard file >= 0 else {
      let code = errno
      if code == EEXIST { throw GitError(.failed, "\(path) is being written by somebody else; if nobody does, remove \(lock).") }
      throw failure(lock, "created", code)
    }
    defer { close(file) }
    do throws(GitError) {
      try write(bytes, to: file, lock)
      if fsync(file) != 0 { throw failure(lock, "written", errno) }
      if rename(lock, path) != 0 { throw failure(path, "replaced", errno) }
    } catch {
      unlink(lock)
      throw error
    }
  }

  static func remove(_ path: String) throws(GitError) {
    if unlink(path) != 0, errno != ENOENT { throw failure(path, "removed", errno) }
  }

  static func makeFolder(_ path: String) throws(GitError) {
    if mkdir(path, 0o777) != 0, errno != EEXIST { throw failure(path, "made", errno) }
  }

  /// Absolute, with every link on the way followed; as it is where nothing is there.
  static func realPath(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }

  static func isFolder(_ path: String) -> Bool { mode(of: path).map { $0 & S_IFMT == S_IFDIR } ?? false }

  /// Whether it is a file that may be run.
  static func isProgram(_ path: String) -> Bool { mode(of: path).map { $0 & S_IFMT == S_IFREG } == true && access(path, X_OK) == 0 }

  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode : nil
  }

  private static func write(_ bytes: [UInt8], to file: CInt, _ path: String) throws(GitError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = retrying { rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } }
      guard count >= 0 else { throw failure(path, "written", errno) }
      rest = rest.dropFirst(count)
    }
  }

  private static func failure(_ path: String, _ action: String, _ code: CInt) -> GitError {
    let isDenied = [EACCES, EPERM, EROFS].contains(code)
    return GitError(isDenied ? .denied : .failed, "\(path) cannot be \(action): \(String(cString: strerror(code))).")
  }

  private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}
