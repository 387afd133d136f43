import Store
import Streams
import Processes

/// The file that holds the state of a consumer.
package struct StateLocation: Hashable {
  package let file: String
  /// The name or the path as the user wrote it, for messages.
  package let name: String
  /// True if the user gave the file. Such a file is never replaced if its content is unknown.
  let isOwnFile: Bool

  /// Finds the file of a state.
  ///
  /// - Parameter text: A name of 1 to 64 letters, digits, `.`, `_` and `-`, which is the name of a
  ///   consumer of this folder; or the path of a file, with a `/`.
  /// - Throws: `StateError` if the name is not valid, or if no variable names a folder.
  package init(_ text: String, root: String, environment: [String: String]) throws(StateError) {
    name = text
    isOwnFile = text.utf8.contains(UInt8(ascii: "/"))
    if isOwnFile {
      if text.utf8.last == UInt8(ascii: "/") || text.utf8.contains(0) {
        throw StateError(.badName, "`\(text)` is not the path of a file. Give a file, or a name without `/`.")
      }
      file = StateLocation.absolute(text)
      return
    }
    guard StateLocation.isName(text) else {
      throw StateError(
        .badName,
        "`\(text)` is not a name. A name has 1 to 64 letters, digits, `.`, `_` and `-`. A file has a `/` in its path: `./\(text)`."
      )
    }
    file = "\(try StateLocation.folder(of: root, environment))/\(text).sqlite"
  }

  /// Returns the folder for what programs of this user remember about a watched folder.
  package static func folder(of root: String, _ environment: [String: String]) throws(StateError) -> String {
    let digest = ContentDigest(of: Array((realPath(root) ?? StateLocation.absolute(root)).utf8)).text
    return "\(try StateLocation.home(environment))/notes-watch/\(digest)"
  }

  /// The folder in which programs of this user keep their states, if a variable names it.
  package static func home(_ environment: [String: String]) throws(StateError) -> String {
    if let home = UserFolder.state.path(environment) { return home }
    throw StateError(
      .noHome,
      "there is no folder for states. Set XDG_STATE_HOME or HOME to an absolute path, or give a file with a `/`."
    )
  }

  var folder: String { parentFolder(of: file) }

  private static let maxNameLength = 64

  /// Returns true for 1 to 64 letters, digits, `.`, `_` and `-`, except `.` and `..`.
  package static func isName(_ text: String) -> Bool {
    let isValid = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    return isValid && (1...maxNameLength).contains(text.utf8.count) && text != "." && text != ".."
  }

  /// Returns a path that does not depend on the working directory.
  private static func absolute(_ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    return "\(realPath(".") ?? ".")/\(path)"
  }
}
