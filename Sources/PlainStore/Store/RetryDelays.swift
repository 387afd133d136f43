import DirectoryWatch

/// How long to wait before the next look at each path that the system could not look at. Pure.
struct RetryDelays: Sendable {
  /// The first wait; each further one is twice as long, up to the last. What the system is short of is often there again at once, and a broken disk is not asked often.
  static let first = Duration.milliseconds(250)
  static let last = Duration.seconds(60)

  private var delays: [RelativePath: Duration] = [:]

  /// What was found in one look, in any order; the answer is what to look at again, and when. Folders are told from files by `isFile`.
  mutating func take(
    _ findings: some Sequence<(path: RelativePath, finding: FileFinding)>, isFile: (RelativePath) -> Bool
  ) -> [Duration: DirtyPaths] {
    var again: [Duration: DirtyPaths] = [:]
    for (path, finding) in findings {
      guard case .problem(let problem) = finding, problem.mayPass else {
        if !delays.isEmpty { delays[path] = nil }
        continue
      }
      let delay = delays[path].map { min($0 * 2, RetryDelays.last) } ?? RetryDelays.first
      delays[path] = delay
      if isFile(path) {
        again[delay, default: DirtyPaths()].files.insert(path)
      } else {
        again[delay, default: DirtyPaths()].subtrees.insert(path)
      }
    }
    return again
  }
}
