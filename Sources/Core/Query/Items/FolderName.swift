package import Files

/// A folder as its user typed it, for messages that name its files so that an editor can open them:
/// `data/a.yaml:3:1` for `data/`, and `a.yaml:3:1` for `.`.
package struct FolderName {
  /// The folder's path without slashes at the end.
  private let name: String

  package init(_ typed: String) {
    var name = Substring(typed)
    while name.utf8.count > 1, name.hasSuffix("/") || name.hasSuffix("/.") { name = name.dropLast() }
    self.name = String(name)
  }

  /// Returns the path of a file below the folder. The path of the root is the folder's name.
  package func path(of path: RelativePath) -> String {
    if path == .root { return name.isEmpty ? "." : name }
    switch name {
    case "", ".": return path.description
    case "/": return "/\(path)"
    default: return "\(name)/\(path)"
    }
  }

  /// Returns `path:line:column: message`, as compilers print it.
  package func description(of problem: Problem) -> String {
    "\(path(of: problem.path)):\(problem.line):\(problem.column): \(problem.message)"
  }
}
