import Files
import Glibc
import SystemPackage
import Processes

/// The configuration file on the disk, and the paths in it.
///
/// Because the file runs commands, only this user or root may be able to write it. A relative path in
/// it begins at its folder, and `~/` at the home folder.
extension ConfigurationReader {
  static let maxSize = 1 << 20

  static func contents(of path: String, user: uid_t = geteuid()) throws(ConfigurationFailure) -> [UInt8] {
    func failure(_ kind: ConfigurationFailure.Kind, _ message: String) -> ConfigurationFailure {
      ConfigurationFailure(kind: kind, errors: [.init(path, nil, message)])
    }
    let found: (status: stat, bytes: [UInt8]?)
    do throws(Errno) {
      found = try open(path)
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
  private static func open(_ path: String) throws(Errno) -> (stat, [UInt8]?) {
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

  // MARK: Paths

  /// That of `HOME` if it is absolute, or else of the user database.
  static var homeFolder: String? {
    if let home = getenv("HOME").map({ String(cString: $0) }), home.utf8.first == UInt8(ascii: "/") {
      return home
    }
    guard let user = getpwuid(geteuid()), let home = user.pointee.pw_dir else { return nil }
    return String(cString: home)
  }

  /// Returns a sentence that says why a path cannot be used; nil if it can.
  func obstacle(to path: String) -> String? {
    if path.isEmpty { return "The path is empty." }
    if path.utf8.count >= Int(PATH_MAX) {
      return "The path has more than \(PATH_MAX - 1) bytes, the limit of the system."
    }
    if path.utf8.contains(0) { return "A path cannot contain NUL." }
    if isInHome(path) {
      return home == nil ? "The home folder is not known. Set HOME, or write an absolute path." : nil
    }
    return path.hasPrefix("~")
      ? "Only `~/` is expanded. Write the absolute path of another user's folder." : nil
  }

  func absolute(_ path: String) -> String {
    if isInHome(path), let home {
      return ConfigurationReader.normalized("\(home)/\(path.dropFirst())")
    }
    return ConfigurationReader.normalized(path.hasPrefix("/") ? path : "\(parentFolder(of: file))/\(path)")
  }

  private func isInHome(_ path: String) -> Bool {
    path == "~" || path.hasPrefix("~/")
  }

  /// Removes empty parts and `.` from an absolute path. `..` stays: the folder before it may be a link.
  static func normalized(_ path: String) -> String {
    "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  /// Returns a path that is the same for each way to name one place: with links resolved as far as it exists.
  static func identity(of path: String) -> String {
    if let real = realPath(path) { return real }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
      return path
    }
    let parent = identity(of: String(path[..<slash]))
    return "\(parent == "/" ? "" : parent)\(path[slash...])"
  }
}
