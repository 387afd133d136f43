import Files
import Folder
import Watch

/// The delays before the next attempt to read each path that the system could not read. Pure.
struct RetryDelays: Sendable {
  /// The delay after the first failure and the longest one. A shortage is often over at once, and a
  /// broken disk must not be read too often.
  static let first = Duration.milliseconds(250)
  static let last = Duration.seconds(60)

  private var retries: [RelativePath: Retry] = [:]

  /// Updates the delays with the findings of one scan, in any order.
  ///
  /// - Parameter isFile: Returns true for the path of a file, false for that of a folder.
  /// - Returns: The paths to read again, by their delays.
  mutating func update(
    with findings: some Sequence<(path: RelativePath, finding: FileFinding)>, isFile: (RelativePath) -> Bool
  ) -> [Duration: DirtyPaths] {
    var again: [Duration: DirtyPaths] = [:]
    for (path, finding) in findings {
      guard case .problem(let problem) = finding, problem.isTransient else {
        if !retries.isEmpty { retries[path] = nil }
        continue
      }
      let delay = retries[path, default: Retry(first: RetryDelays.first, last: RetryDelays.last)].next()
      if isFile(path) {
        again[delay, default: DirtyPaths()].files.insert(path)
      } else {
        again[delay, default: DirtyPaths()].subtrees.insert(path)
      }
    }
    return again
  }
}
