/// The error of this module: what git, a repository or a revision does not allow.
package struct GitError: Error, Hashable, CustomStringConvertible {
  package enum Code: Hashable {
    case missing
    /// The folder is not in a repository, or does not exist on either side of a comparison.
    case noRepository
    case unknownRevision
    /// The request does not fit the repository, for example a work tree of a bare one.
    case usage
    case denied
    case damaged
    /// The data set's settings at a revision cannot be read or are invalid.
    case badSettings
    case timedOut
    case failed
  }

  package let code: Code
  /// Sentences for a person: what happened, where, and what to do.
  package let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
