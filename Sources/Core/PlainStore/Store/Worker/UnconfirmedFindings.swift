import Files
import Folder
import Watch

/// Decides which findings wait for a second read. Pure.
///
/// A good file that is found broken, empty or missing may be in the middle of a save whose last
/// event has not come yet. It is read again before that is a problem or a deletion.
struct UnconfirmedFindings: Sendable {
  typealias Findings = [(path: RelativePath, finding: FileFinding)]

  /// The paths whose second read is due.
  private var paths: Set<RelativePath> = []

  /// Splits the findings of one scan.
  ///
  /// - Parameters:
  ///   - dirty: The paths that were scanned.
  ///   - contents: What was known before the scan.
  ///   - mayWait: False if no program can be writing the files, or if no watch would report them
  ///     again.
  /// - Returns: The findings that count, and the paths to read again.
  mutating func split(
    _ findings: Findings, of dirty: DirtyPaths, knowing contents: StoreContents, mayWait: Bool
  ) -> (certain: Findings, unconfirmed: [RelativePath]) {
    var unconfirmed: [RelativePath] = []
    let certain = findings.filter { path, finding in
      let isSecondRead = paths.remove(path) != nil
      guard mayWait, !isSecondRead, UnconfirmedFindings.isTransient(finding, at: path, of: dirty, contents)
      else { return true }
      paths.insert(path)
      unconfirmed.append(path)
      return false
    }
    return (certain, unconfirmed)
  }

  private static func isTransient(
    _ finding: FileFinding, at path: RelativePath, of dirty: DirtyPaths, _ contents: StoreContents
  ) -> Bool {
    switch finding {
    case .problem: contents.model.stamp(of: path) != nil
    // Below a folder that is scanned completely, no event named the file itself.
    case .missing:
      dirty.files.contains(path) && !dirty.gone.contains(path) && contents.model.hasItem(at: path)
        && contents.rules.reaches(path)
    // Markdown may be empty, but programs that save also empty a file first. git does not.
    case .item(let stamp, _):
      dirty.origin != .git && stamp.size == 0 && contents.model.stamp(of: path).map { $0.size > 0 } == true
    case .unchanged, .tooExpanded: false
    }
  }
}
