#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Store
import Values

/// The words of a command line that name items, and those that change fields.
///
/// The ids come first. The first word is an id. From the second word on, a word with `=` or `@` is
/// an assignment, and so must be all words after it. For other ids, `--` separates ids and
/// assignments, or the id has the sign as `%3D` or `%40`.
struct ItemWords: Sendable, Hashable {
  /// The ids as given, in order.
  private(set) var ids: [String]
  private(set) var assignments: [Assignment] = []

  /// - Parameters:
  ///   - words: The words, or those before a `--`.
  ///   - afterDashes: The words after a `--`; empty if there is none.
  /// - Throws: `AssignmentError` for a word that is neither, or is in the wrong place.
  init(_ words: [String], afterDashes: [String] = []) throws(AssignmentError) {
    ids = []
    // All values of one call are of one moment.
    let now = Date()
    for word in words { try add(word, isSeparated: !afterDashes.isEmpty, at: now) }
    assignments += try afterDashes.map { word throws(AssignmentError) in try Assignment(word, at: now) }
    if ids.count > 1, ids.contains("-") {
      throw AssignmentError("-", AssignmentError.mixedInput)
    }
    var known: Set<FieldPath> = []
    for assignment in assignments
    where assignment.verb == .set && !known.insert(FieldPath(keys: assignment.path.keys)).inserted {
      throw AssignmentError(assignment.word, "The field `\(assignment.path)` is set twice. Set it once.")
    }
    let inputs = assignments.filter { $0.source == .file("-") }
    if inputs.count > 1 {
      throw AssignmentError(
        "@-", "Standard input can be read only once, but two fields read from it. Use a file for one of them."
      )
    }
  }

  private mutating func add(_ word: String, isSeparated: Bool, at now: Date) throws(AssignmentError) {
    if isSeparated || !ItemWords.holdsSign(word, isFirst: ids.isEmpty) {
      guard assignments.isEmpty else {
        throw AssignmentError(
          word, "This is not a field assignment. Ids come first, then field=value (quote values with spaces)."
        )
      }
      ids.append(word)
    } else if ids.isEmpty {
      throw AssignmentError(word, "The id of an item is missing before the fields. \(ItemWords.idHint(word))")
    } else {
      do throws(AssignmentError) {
        assignments.append(try Assignment(word, at: now))
      } catch {
        // A word with `=` was hardly meant as an id.
        if word.utf8.contains(UInt8(ascii: "=")) { throw error }
        throw AssignmentError(error.word, column: error.column, "\(error.message) \(ItemWords.idHint(word))")
      }
    }
  }

  /// Returns a sentence that shows how to write an id with these signs.
  static func idHint(_ word: String) -> String {
    "If this is an id, write "
      + "\(word.unicodeScalars.map { $0 == "=" ? "%3D" : $0 == "@" ? "%40" : String($0) }.joined())."
  }

  /// Returns true if a word has the sign of an assignment. As the first word, an address
  /// (`ada@example.org`) is an id.
  private static func holdsSign(_ word: String, isFirst: Bool) -> Bool {
    word.unicodeScalars.contains { $0 == "=" || (!isFirst && $0 == "@") }
  }
}
