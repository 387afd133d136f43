import PlainStore
import PlainText

/// The words of a command line that name items, and those that say something of their fields.
///
/// The ids come first. The first word is an id; from the second one on a word with `=` or `@` in it is an assignment, and all behind it have to be. Where
/// that does not do, `--` parts them; or the sign stands as `%3D` or `%40` in the id, as any byte of an id may.
struct ItemWords: Sendable, Hashable {
  /// As given, in order.
  private(set) var ids: [String]
  private(set) var assignments: [Assignment] = []

  /// - Parameter behind: the words behind a `--`; empty where there is none.
  /// - Throws: `AssignmentError` for a word that is neither, or stands at the wrong place.
  init(_ words: [String], behind: [String] = []) throws(AssignmentError) {
    ids = []
    for word in words { try take(word, isParted: !behind.isEmpty) }
    assignments += try behind.map { word throws(AssignmentError) in try Assignment(word) }
    if ids.count > 1, ids.contains("-") {
      throw AssignmentError("-", AssignmentError.mixedInput)
    }
    var known: Set<FieldPath> = []
    for assignment in assignments where assignment.verb == .set && !known.insert(FieldPath(keys: assignment.path.keys)).inserted {
      throw AssignmentError(assignment.word, "The field `\(assignment.path)` is set twice. Set it once.")
    }
    let inputs = assignments.filter { $0.source == .file("-") }
    if inputs.count > 1 {
      throw AssignmentError("@-", "Standard input can be read once, and two fields ask for it. Give one of them a file.")
    }
  }

  private mutating func take(_ word: String, isParted: Bool) throws(AssignmentError) {
    if isParted || !ItemWords.holdsSign(word, isFirst: ids.isEmpty) {
      guard assignments.isEmpty else {
        throw AssignmentError(
          word, "This stands behind a field, and is none. Write field=value, with quotes around blanks; ids come before the fields.")
      }
      ids.append(word)
    } else if ids.isEmpty {
      throw AssignmentError(word, "An item's id is missing before the fields. \(ItemWords.idHint(word))")
    } else {
      do throws(AssignmentError) {
        assignments.append(try Assignment(word))
      } catch {
        // With an `=` it was hardly meant for an id.
        if word.utf8.contains(UInt8(ascii: "=")) { throw error }
        throw AssignmentError(error.word, column: error.column, "\(error.message) \(ItemWords.idHint(word))")
      }
    }
  }

  /// A sentence that says how an id with these signs is written.
  static func idHint(_ word: String) -> String {
    "If this is an id, write \(word.unicodeScalars.map { $0 == "=" ? "%3D" : $0 == "@" ? "%40" : String($0) }.joined())."
  }

  /// An address (`ada@example.org`) is a likely id; a word with `=` is none.
  private static func holdsSign(_ word: String, isFirst: Bool) -> Bool {
    word.unicodeScalars.contains { $0 == "=" || (!isFirst && $0 == "@") }
  }
}
