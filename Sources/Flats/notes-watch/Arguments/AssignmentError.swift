import Store
import Values

/// An error in a word of a command line that names or changes a field.
struct AssignmentError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The word as it was given.
  let word: String
  /// The column in the word, from 1, in Unicode scalars.
  let column: Int
  /// Sentences: what is wrong, and what to write.
  let message: String

  /// The message for a `-` among ids.
  static let mixedInput =
    "With `-`, all items are read from standard input. Leave out the ids or the `-`. (The id `-` is written %2D.)"

  init(_ word: String, column: Int = 1, _ message: String) {
    self.word = word
    self.column = column
    self.message = message
  }

  var description: String {
    let shown =
      word.unicodeScalars.count <= 100
      ? word : String(String.UnicodeScalarView(word.unicodeScalars.prefix(100))) + "…"
    return "`\(shown)`, column \(column): \(message)"
  }
}

extension FieldPath {
  /// Parses the path in a word that changes a field.
  ///
  /// - Throws: `AssignmentError` if it is not a path, or a path that cannot be written to.
  init(writing text: String, in word: String) throws(AssignmentError) {
    do throws(TextError) {
      self = try FieldPath(parsingWritable: text)
    } catch {
      // Without backslashes, the word is the path or begins with it.
      let isAtStart = word.unicodeScalars.starts(with: text.unicodeScalars)
      throw AssignmentError(
        word, column: isAtStart ? error.column : 1,
        "\(error.message) Write a path like address.city, tags[0], `a.b`.c or /a/b.")
    }
  }
}
