import Browse
import Store
import Values

/// The words of a form that change fields, as `set` reads them after the ids.
struct FieldWords {
  private let assignments: [Assignment]

  /// Parses the words.
  ///
  /// - Throws: `AssignmentError` for a word that is not an assignment, or reads standard input.
  init(_ words: [String]) throws(AssignmentError) {
    // The words that name items are not parsed.
    assignments = try ItemWords([], afterDashes: words).assignments
    if let input = assignments.first(where: { $0.source == .file("-") }) {
      throw AssignmentError(input.word, "Standard input cannot be read here. Name a file after the `@`.")
    }
  }

  /// Returns the assignments with the contents of the files that they name.
  func resolved(_ limits: ReadLimits) throws(AssignmentError) -> [Assignment] {
    var resolved: [Assignment] = []
    for assignment in assignments {
      resolved.append(
        try assignment.resolved { name throws(AssignmentError) in
          do throws(Failure) {
            return try InputFile.read(name, upTo: limits.maxSize)
          } catch {
            throw AssignmentError(assignment.word, error.description)
          }
        })
    }
    return resolved
  }

  /// Returns the mistake in a word; nil if it is an assignment.
  @Sendable static func mistake(_ word: String) -> (column: Int, message: String)? {
    do throws(AssignmentError) {
      _ = try FieldWords([word])
      return nil
    } catch {
      return (error.column, error.message)
    }
  }
}
