import PlainText

/// What is wrong with a word of a command line that says something of a field.
package struct AssignmentError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The word, as it was given.
  package let word: String
  /// In the word, from 1, in Unicode scalars.
  package let column: Int
  /// Sentences: what is wrong, and what to write.
  package let message: String

  package init(_ word: String, column: Int = 1, _ message: String) {
    self.word = word
    self.column = column
    self.message = message
  }

  package var description: String {
    let shown = word.unicodeScalars.count <= 100 ? word : String(String.UnicodeScalarView(word.unicodeScalars.prefix(100))) + "…"
    return "`\(shown)`, column \(column): \(message)"
  }
}
