public import DirectoryWatch
package import SystemPackage

/// What is wrong with one file. It concerns that file alone: every other item is listed all the same.
public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
  public let path: RelativePath
  /// From 1. Where there is no place in the file, line and column are 1.
  public let line: Int
  /// From 1, in Unicode scalars.
  public let column: Int
  /// A sentence: what is wrong, and what to do where that is not plain.
  public let message: String
  /// Whether it is no fault of the file: the system could not look, for a reason that may pass without anybody touching the file. It is looked at again.
  package var isTransient = false
  /// The error of the system call that failed; nil if none did.
  package var error: Errno?

  public init(path: RelativePath, line: Int = 1, column: Int = 1, message: String) {
    self.path = path
    self.line = line
    self.column = column
    self.message = message
  }

  /// `path:line:column: message`, as compilers say it.
  public var description: String { "\(path == .root ? "." : path.description):\(line):\(column): \(message)" }
}

/// A problem that came (or replaced the path's earlier one), or one that is gone.
///
/// There are no other cases: a problem is raised or cleared.
public enum ProblemChange: Sendable, Hashable {
  case raised(Problem)
  case cleared(Problem)

  public var problem: Problem {
    switch self {
    case .raised(let problem), .cleared(let problem): problem
    }
  }
}
