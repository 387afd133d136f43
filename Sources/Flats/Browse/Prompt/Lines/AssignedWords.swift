/// The words of a line that sets fields, and the mistakes in them.
///
/// A line is measured and drawn several times per key. So the words are read once per text, and
/// only from the word on that changed: a long line stays quick.
struct AssignedWords: Sendable {
  /// A mistake, and its place in the line.
  struct Mistake: Hashable, Sendable {
    let place: Int
    let message: String
  }

  /// The words of the line.
  private(set) var words = LineWords([])
  /// The mistake in each word; nil for a word without one.
  private var mistakes: [Mistake?] = []

  /// Reads the words of a text.
  ///
  /// - Parameter check: Returns the mistake in a word.
  mutating func update(_ characters: [Character], _ check: (String) -> WordMistake?) {
    let kept = words.update(characters)
    mistakes.removeSubrange(kept...)
    mistakes += words.words[kept...].map { AssignedWords.mistake(in: $0, check) }
  }

  /// The first mistake in the line; nil if there is none.
  var mistake: Mistake? { mistakes.lazy.compactMap { $0 }.first }

  /// Returns the first mistake in the line. The last word is not a mistake while it is being typed
  /// and has no sign yet.
  func mistake(typingAt caret: Int) -> Mistake? {
    let isTyped = words.words.last.map { $0.range.upperBound == caret && $0.sign == nil } ?? false
    return mistakes.dropLast(isTyped ? 1 : 0).lazy.compactMap { $0 }.first
  }

  /// Returns the word at the caret, or the last one before it, or the first one.
  func word(at caret: Int) -> LineWords.Word? {
    words.words.last { $0.range.lowerBound <= caret } ?? words.words.first
  }

  private static func mistake(in word: LineWords.Word, _ check: (String) -> WordMistake?) -> Mistake? {
    if word.isOpen {
      return Mistake(place: word.range.lowerBound, message: "A quote is not closed. Add the closing quote.")
    }
    return check(word.text).map { Mistake(place: word.place(ofColumn: $0.column), message: $0.message) }
  }
}
