/// Parts of a predicate in messages, which may be far longer than a person reads.
enum PredicateExcerpt {
  /// So many Unicode scalars are shown.
  static let max = 60

  static func isNeeded(_ text: String) -> Bool { text.unicodeScalars.count > max }

  /// The text, or its beginning and an ellipsis.
  static func of(_ text: String) -> String {
    isNeeded(text) ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(max - 1))) + "…" : text
  }
}
