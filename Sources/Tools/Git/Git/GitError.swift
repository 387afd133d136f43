/// The error of this module: what git, a repository or a revision does not allow.
package struct GitError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of errors that callers distinguish.
  package enum Code: Sendable, Hashable {
    /// git is not installed or not on `$PATH`.
    case missing
    /// The folder is not in a repository, or does not exist on either side of a comparison.
    case noRepository
    /// The repository has no such revision.
    case unknownRevision
    /// The request does not fit the repository, for example a work tree of a bare one.
    case usage
    /// git or the system denies access.
    case denied
    /// An object is missing or corrupt.
    case damaged
    /// The data set's settings at a revision cannot be read or are invalid.
    case badSettings
    /// git did not respond in time.
    case timedOut
    /// Another failure that git or the system reported.
    case failed
  }

  /// The kind of the error.
  package let code: Code
  /// Sentences for a person: what happened, where, and what to do.
  package let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
