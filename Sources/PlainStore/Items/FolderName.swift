package import DirectoryWatch

/// A folder as its user typed it, for messages that name files so that an editor finds them: `data/a.yaml:3:1` for `data/`, and `a.yaml:3:1` for `.`.
package struct FolderName: Sendable {
  /// Without slashes at the end.
  private let name: String

  package init(_ typed: String) {
    var name = Substring(typed)
    while name.utf8.count > 1, name.hasSuffix("/") || name.hasSuffix("/.") { name = name.dropLast() }
    self.name = String(name)
  }

  /// The path of a file below the folder. The folder itself has its own name.
  package func path(of path: RelativePath) -> String {
    if path == .root { return name.isEmpty ? "." : name }
    switch name {
    case "", ".": return path.description
    case "/": return "/\(path)"
    default: return "\(name)/\(path)"
    }
  }

  /// `path:line:column: message`, as compilers print it.
  package func description(of problem: Problem) -> String {
    "\(path(of: problem.path)):\(problem.line):\(problem.column): \(problem.message)"
  }

  /// `path:line:column: message`, without a place if it is not known, or with the id in place of the path.
  package func description(of error: EditError) -> String {
    guard let path = error.path else { return error.description }
    let place = error.line == 1 && error.column == 1 ? "" : ":\(error.line):\(error.column)"
    return "\(self.path(of: path))\(place): \(error.message)"
  }
}
