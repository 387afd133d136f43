import DirectoryWatch

/// The delays before the next attempt to read each path that the system could not read. Pure.
struct RetryDelays: Sendable {
  /// The delay after the first failure and the longest one. A shortage is often over at once, and a broken
  /// disk must not be read too often.
  static let first = Duration.milliseconds(250)
  static let last = Duration.seconds(60)

  private var retries: [RelativePath: Retry] = [:]

  /// What was found in one look, in any order; the answer is what to look at again, and when. Folders are told from files by `isFile`.
  mutating func take(
    _ findings: some Sequence<(path: RelativePath, finding: FileFinding)>, isFile: (RelativePath) -> Bool
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
