/// Why git could not answer, or was not asked.
package struct GitError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: Sendable, Hashable {
    /// git is not installed.
    case missing
    /// The folder is in no repository, or neither of the two lists has it.
    case noRepository
    /// A revision that the repository does not know.
    case unknownRevision
    /// What was asked for makes no sense of this repository: a work tree of one that has none.
    case usage
    /// git refuses to touch the repository.
    case denied
    /// An object is missing or broken.
    case damaged
    /// The settings that a revision has cannot be read or understood.
    case badSettings
    /// git hangs.
    case timedOut
    /// Anything else that git or the system says.
    case failed
  }

  package let code: Code
  /// A sentence: what happened, where, what to do.
  package let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
