import PlainText

/// Hints about fields that nothing has, on standard error.
enum FieldHints {
  /// A hint costs a look at the keys of all items, and nobody reads hundreds.
  static let max = 8

  /// Prints one hint per field, for the first ``max`` of them.
  ///
  /// - Parameters:
  ///   - sentence: what is said about a field.
  ///   - nearest: the field that was probably meant.
  static func write(_ fields: [FieldPath], _ sentence: (FieldPath) -> String, nearest: (FieldPath) -> FieldPath?) {
    for path in fields.prefix(max) {
      let suggestion = nearest(path).map { " Did you mean `\($0)`?" } ?? ""
      StandardError.writeLine("notes-watch: hint: \(sentence(path))\(suggestion)")
    }
    if fields.count > max { StandardError.writeLine("notes-watch: hint: only the first \(max) unknown fields are listed.") }
  }
}
