import Files
import Glibc

/// Makes the paths of a configuration absolute: `~/` begins at the home folder, and a relative path
/// at the folder of the configuration file.
struct ConfigurationPaths {
  /// The folder of the configuration file.
  let base: String
  /// The home folder; nil if it is not known.
  let home: String?

  /// The home folder of this user; nil if it is not known.
  static var home: String? {
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

  /// Returns the absolute path of one that can be used.
  func absolute(_ path: String) -> String {
    if isInHome(path), let home {
      return ConfigurationPaths.normalized("\(home)/\(path.dropFirst())")
    }
    return ConfigurationPaths.normalized(path.hasPrefix("/") ? path : "\(base)/\(path)")
  }

  private func isInHome(_ path: String) -> Bool {
    path == "~" || path.hasPrefix("~/")
  }

  /// Removes empty parts and `.` from an absolute path. `..` stays: the folder before it may be a
  /// link.
  static func normalized(_ path: String) -> String {
    "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  /// Returns a path that is the same for each way to name one place: with links resolved as far as
  /// it exists.
  static func identity(of path: String) -> String {
    if let real = realPath(path) { return real }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
      return path
    }
    let parent = identity(of: String(path[..<slash]))
    return "\(parent == "/" ? "" : parent)\(path[slash...])"
  }
}
