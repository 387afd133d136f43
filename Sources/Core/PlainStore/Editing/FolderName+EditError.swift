package import Query

extension FolderName {
  /// Returns `path:line:column: message`. Without a known place line and column are left out;
  /// without a path the id takes its place.
  package func description(of error: EditError) -> String {
    guard let path = error.path else { return error.description }
    let place = error.line == 1 && error.column == 1 ? "" : ":\(error.line):\(error.column)"
    return "\(self.path(of: path))\(place): \(error.message)"
  }
}
