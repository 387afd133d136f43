import Files
import Glibc
import SystemPackage
import Processes

/// Reads and writes complete files: those that git passes to a driver, and git's own attributes
/// file.
enum WholeFile {
  static func read(_ path: String) throws(GitError) -> [UInt8] {
    try performing("read", path) { () throws(Errno) in try Descriptor.open(path, O_RDONLY).readAll() }
  }

  static func readIfThere(_ path: String) throws(GitError) -> [UInt8]? {
    access(path, F_OK) != 0 && errno == ENOENT ? nil : try read(path)
  }

  /// Overwrites an existing file that no other program writes.
  static func write(_ bytes: [UInt8], to path: String) throws(GitError) {
    try performing("written", path) { () throws(Errno) in
      try Descriptor.open(path, O_WRONLY | O_TRUNC).write(all: bytes)
    }
  }

  /// Replaces a file atomically, as git does: writes a lock file next to it and renames it.
  static func replace(_ path: String, with bytes: [UInt8]) throws(GitError) {
    let lock = path + ".lock"
    let file: Descriptor
    do throws(Errno) {
      file = try Descriptor.open(lock, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o666)
    } catch {
      if error == .fileExists {
        throw GitError(
          .failed, "Another program is writing \(path). If none is, remove \(lock) and try again.")
      }
      throw failure(lock, "created", error)
    }
    do throws(GitError) {
      do throws(Errno) {
        try file.write(all: bytes)
        try file.sync()
      } catch {
        throw failure(lock, "written", error)
      }
      if rename(lock, path) != 0 { throw failure(path, "replaced", .current) }
    } catch {
      unlink(lock)
      throw error
    }
  }

  static func remove(_ path: String) throws(GitError) {
    if unlink(path) != 0, errno != ENOENT { throw failure(path, "removed", .current) }
  }

  static func makeFolder(_ path: String) throws(GitError) {
    if mkdir(path, 0o777) != 0, errno != EEXIST { throw failure(path, "created", .current) }
  }

  static func isFolder(_ path: String) -> Bool { mode(of: path).map { $0 & S_IFMT == S_IFDIR } ?? false }

  static func isProgram(_ path: String) -> Bool {
    mode(of: path).map { $0 & S_IFMT == S_IFREG } == true && access(path, X_OK) == 0
  }

  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode : nil
  }

  private static func performing<Result>(
    _ action: String, _ path: String, _ body: () throws(Errno) -> Result
  ) throws(GitError) -> Result {
    do throws(Errno) { return try body() } catch { throw failure(path, action, error) }
  }

  private static func failure(_ path: String, _ action: String, _ error: Errno) -> GitError {
    let isDenied = [.permissionDenied, .notPermitted, .readOnlyFileSystem].contains(error)
    return GitError(isDenied ? .denied : .failed, "\(path) cannot be \(action): \(error.reason).")
  }
}
