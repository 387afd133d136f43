import Store
import Values

extension [Assignment] {
  fileprivate func resolved(_ limits: ReadLimits) throws -> [Assignment] {
    do {
      return try map { assignment in
        try assignment.resolved { name throws(AssignmentError) in
          do throws(Failure) {
            return try InputFile.read(name, upTo: limits.maxSize)
          } catch {
            let hint =
              assignment.word.utf8.contains(UInt8(ascii: "=")) ? "" : " \(ItemWords.idHint(assignment.word))"
            throw AssignmentError(assignment.word, error.description + hint)
          }
        }
      }
    } catch let error as AssignmentError {
      throw Failure.report(.noInput, error.description)
    }
  }

  /// True if an assignment reads its value from standard input.
  var readStandardInput: Bool { contains { $0.source == .file("-") } }
}

extension ItemWriter {
  /// Returns the assignments with the contents of the files that they name.
  mutating func resolved(_ assignments: [Assignment]) throws -> [Assignment] {
    let resolved = try assignments.resolved(session.limits)
    // The settings may have changed while a person typed.
    if assignments.readStandardInput { try reopen() }
    return resolved
  }
}
