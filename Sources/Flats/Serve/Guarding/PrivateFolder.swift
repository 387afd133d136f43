import Files
import Glibc
import SystemPackage
import Processes

/// The folder of the files of a running server, which belongs to its user alone.
package struct PrivateFolder {
  package let path: String

  /// The names of the variables that `init(environment:)` reads.
  package static let variables = ["XDG_RUNTIME_DIR", "XDG_STATE_HOME", "HOME"]

  /// Finds the folder, or makes it, and checks that no other user may use it: `notes-watch` in
  /// `XDG_RUNTIME_DIR` or in `/run/user/UID`, or else `notes-watch/serve` in the folder for states.
  package init(environment: [String: String]) throws(HTTPServerError) {
    if let runtime = PrivateFolder.runtime(environment) {
      path = "\(runtime)/notes-watch"
    } else if let state = UserFolder.state.path(environment) {
      path = "\(state)/notes-watch/serve"
      PrivateFolder.makeParents(of: path)
    } else {
      throw HTTPServerError(
        .denied,
        "There is no folder for the token of the server. Set XDG_RUNTIME_DIR or HOME, or use --token-file.")
    }
    try prepare()
  }

  /// Returns `XDG_RUNTIME_DIR`, or the folder that the system makes for a user who logs in; nil if
  /// there is none.
  package static func runtime(_ environment: [String: String]) -> String? {
    if let folder = environment["XDG_RUNTIME_DIR"], folder.utf8.first == UInt8(ascii: "/") { return folder }
    let path = "/run/user/\(getuid())"
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == getuid()
      ? path : nil
  }

  /// Makes the missing folders above a path, for this user alone.
  static func makeParents(of path: String) {
    for place in path.utf8.indices where path.utf8[place] == UInt8(ascii: "/") && place != path.startIndex {
      mkdir(String(path[..<place]), 0o700)
    }
  }

  private func prepare() throws(HTTPServerError) {
    if mkdir(path, 0o700) != 0, case let error = Errno.current, error != .fileExists {
      throw HTTPServerError(
        .denied, "The folder \(path) for the token of the server cannot be created: \(error.reason).")
    }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw HTTPServerError(.denied, "\(path), which is for the token of the server, is not a folder.")
    }
    guard status.st_uid == geteuid() else {
      throw HTTPServerError(
        .denied,
        "The folder \(path) belongs to another user (uid \(status.st_uid)). Set XDG_RUNTIME_DIR to one of your own."
      )
    }
    guard status.st_mode & 0o077 == 0 else {
      throw HTTPServerError(.denied, "Other users may use the folder \(path). Run: chmod 700 \(path)")
    }
  }
}
