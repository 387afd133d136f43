/// The words of a command line that name items, and those that say something of their fields.
///
/// The ids come first. The first word is an id; from the second one on a word with `=` or `@` in it is an assignment, and all behind it have to be. Where
/// that does not do, `--` parts them; or the sign stands as `%3D` or `%40` in the id, as any byte of an id may.
package struct ItemWords: Sendable, Hashable {
  /// As given, in order.
  package private(set) var ids: [String]
  package private(set) var assignments: [Assignment] = []

  /// - Parameter behind: the words behind a `--`; empty where there is none.
  /// - Throws: `AssignmentError` for a word that is neither, or stands at the wrong place.
  package init(_ words: [String], behind: [String] = []) throws(AssignmentError) {
    ids = []
    for word in words { try take(word, isParted: !behind.isEmpty) }
    assignments += try behind.map { word throws(AssignmentError) in try Assignment(word) }
    if ids.count > 1, ids.contains("-") {
      throw AssignmentError("-", AssignmentError.mixedInput)
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
      throw AssignmentError(word, "An item's id is missing before the fields. (An `=` in an id is written %3D.)")
    } else {
      assignments.append(try Assignment(word))
    }
  }

  /// An address (`ada@example.org`) is a likely id; a word with `=` is none.
  private static func holdsSign(_ word: String, isFirst: Bool) -> Bool {
    word.unicodeScalars.contains { $0 == "=" || (!isFirst && $0 == "@") }
  }
}
