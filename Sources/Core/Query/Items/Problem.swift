package import Files
import Glibc
package import SystemPackage

/// A problem of one file. It concerns that file alone: all other items are listed as usual.
public struct Problem: PlainStoreError, Hashable {
  /// The path of the file, relative to the root.
  package let path: RelativePath
  /// The line of the problem, from 1. Line and column are 1 if the problem has no place in the file.
  package let line: Int
  /// The column of the problem, from 1, counted in Unicode scalars.
  package let column: Int
  /// A sentence that says what is wrong and, unless that is obvious, what to do.
  public let message: String
  /// The sentences that say what to do; nil if there are none.
  public package(set) var advice: String?
  /// True if the system could not read the file for a reason that may pass without an edit. The
  /// file is then read again later.
  package var isTransient = false
  /// The error of the system call that failed; nil if none did.
  package var error: Errno?
  package var settingsError: SettingsError?

  /// Makes a problem; at line and column 1 if it has no place in the file.
  package init(path: RelativePath, line: Int = 1, column: Int = 1, message: String, advice: String? = nil) {
    self.path = path
    self.line = line
    self.column = column
    self.message = message + (advice.map { " \($0)" } ?? "")
    self.advice = advice
  }

  /// `permissionDenied` or `system` if the system could not read the file; otherwise `unreadable`.
  public var code: ErrorCode {
    switch error {
    case nil: .unreadable
    case .permissionDenied, .notPermitted: .permissionDenied
    default: .system
    }
  }

  /// The file, and the line and column in it.
  public var place: ErrorPlace? { ErrorPlace(path, line: line, column: column) }

  /// The problem as `path:line:column: message`, as compilers print it. Control characters are escaped.
  public var description: String {
    DisplayText.safe("\(path == .root ? "." : path.description):\(line):\(column): \(message)")
  }
}

/// A change to the problems of a folder. There are no other cases: a problem is raised or cleared.
public enum ProblemChange: Sendable, Hashable {
  /// A new problem, or one that replaced the earlier problem of its path.
  case raised(Problem)
  /// A problem that is gone.
  case cleared(Problem)

  /// The problem that appeared or disappeared.
  public var problem: Problem {
    switch self {
    case .raised(let problem), .cleared(let problem): problem
    }
  }
}

extension Problem {
  /// Makes the problem of something with an item's extension that is not a file.
  package init(path: RelativePath, isNoFileBut kind: UInt32) {
    self.init(path: path, message: "This is \(Problem.kindName(of: kind)), not a file; it was not opened.")
  }

  /// Makes the problem of a failed system call. `action` is a past participle, such as "read".
  package init(path: RelativePath, action: String, _ error: Errno) {
    self.init(path: path, message: "The file cannot be \(action): \(error.reason).")
    isTransient = error != .fileNameTooLong
    self.error = error
  }

  /// Returns the kind of what is at a path with its article, such as "a folder".
  package static func kindName(of type: UInt32) -> String {
    switch type {
    case S_IFDIR: "a folder"
    case S_IFLNK: "a symbolic link (links are not followed)"
    case S_IFIFO: "a FIFO"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "something unknown"
    }
  }
}
