import Files
import Glibc
import SystemPackage

/// The configuration file on the disk. Because it runs commands, only this user or root may be able
/// to write it.
enum ConfigurationFile {
  /// The largest size of the file in bytes.
  static let maxSize = 1 << 20

  /// Reads the file.
  ///
  /// - Parameter user: The user of the daemon.
  /// - Throws: `ConfigurationFailure` if it is missing, cannot be read, or others can write it.
  static func read(_ path: String, user: uid_t = geteuid()) throws(ConfigurationFailure) -> [UInt8] {
    func failure(_ kind: ConfigurationFailure.Kind, _ message: String) -> ConfigurationFailure {
      ConfigurationFailure(kind: kind, errors: [.init(path, nil, message)])
    }
    let found: (status: stat, bytes: [UInt8]?)
    do throws(Errno) {
      found = try contents(of: path)
    } catch {
      if error == .noSuchFileOrDirectory || error == .notDirectory {
        throw failure(
          .missing, "There is no configuration file. Write one, or name a different one with --config FILE.")
      }
      throw failure(.denied, "The configuration cannot be read: \(error.reason).")
    }
    if let reason = reasonToRefuse(found.status, user) { throw failure(.denied, reason) }
    if let reason = reasonToRefuseFolder(of: path, user) { throw failure(.denied, reason) }
    guard let bytes = found.bytes else {
      throw failure(.invalid, "The configuration has more than \(maxSize) bytes. Shorten it.")
    }
    return bytes
  }

  /// Opens a file, and reads it if it is a regular one. A FIFO is not waited for.
  private static func contents(of path: String) throws(Errno) -> (stat, [UInt8]?) {
    if path.utf8.contains(0) { throw .noSuchFileOrDirectory }
    let file = try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    var status = stat()
    try systemCall { fstat(file.raw, &status) }
    guard status.st_mode & S_IFMT == S_IFREG else { return (status, nil) }
    return (status, try file.readAll(upTo: maxSize))
  }

  private static func reasonToRefuse(_ status: stat, _ user: uid_t) -> String? {
    if status.st_mode & S_IFMT != S_IFREG { return "This is not a regular file." }
    if status.st_uid != user, status.st_uid != 0 {
      return
        "The file belongs to another user (uid \(status.st_uid)), who could make the daemon run commands. Copy it."
    }
    if status.st_mode & 0o022 != 0 {
      return "Other users can write the file, and could make the daemon run commands. Run `chmod go-w` on it."
    }
    return nil
  }

  /// A user who can write a folder can replace the files in it, unless its sticky bit is set.
  private static func reasonToRefuseFolder(of path: String, _ user: uid_t) -> String? {
    guard let real = realPath(path) else { return nil }
    let folder = parentFolder(of: real)
    var status = stat()
    guard stat(folder, &status) == 0 else { return nil }
    if status.st_uid != user, status.st_uid != 0 {
      return
        "Its folder \(folder) belongs to another user (uid \(status.st_uid)), who could replace the file. Move it."
    }
    if status.st_mode & 0o022 != 0, status.st_mode & S_ISVTX == 0 {
      return
        "Other users can write its folder \(folder), and could replace the file. Run `chmod go-w` on the folder."
    }
    return nil
  }
}
