/// A mistake in a word such as `rating=8`.
public struct WordMistake: Hashable, Sendable {
  /// The column of the mistake in the word, from 1, in Unicode scalars.
  public let column: Int
  /// Sentences: what is wrong, and what to write.
  public let message: String

  /// Creates a mistake.
  public init(column: Int, message: String) {
    (self.column, self.message) = (column, message)
  }
}
