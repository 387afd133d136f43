/// Shortens parts of a predicate for messages.
enum PredicateExcerpt {
  /// The maximum number of Unicode scalars that are shown.
  static let max = 60

  static func isNeeded(_ text: String) -> Bool { text.unicodeScalars.count > max }

  /// Returns the text, or its beginning and an ellipsis.
  static func of(_ text: String) -> String {
    isNeeded(text) ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(max - 1))) + "…" : text
  }
}
