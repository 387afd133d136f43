import PlainText

/// Hints on standard error about fields that no item has.
enum FieldHints {
  /// The number of fields that get a hint. A hint costs a pass over the keys of all items, and
  /// nobody reads hundreds of them.
  static let max = 8

  /// Returns the hint about a field that no item of a list has.
  static func noItem(has path: FieldPath) -> String { "no item has the field `\(path)`." }

  /// The advice if no field has a similar name. An unquoted string in a predicate reads as a field.
  static let noItemAdvice = " Check the name. In a predicate, put strings in quotes."

  /// Prints one hint per field, for the first ``max`` of them.
  ///
  /// - Parameters:
  ///   - sentence: returns the hint about a field.
  ///   - nearest: returns the field that was probably meant.
  ///   - advice: follows the sentence if there is no such field.
  static func write(
    _ fields: [FieldPath], _ sentence: (FieldPath) -> String, nearest: (FieldPath) -> FieldPath?, advice: String = ""
  ) {
    for path in fields.prefix(max) {
      let suggestion = nearest(path).map { " Did you mean `\($0)`?" } ?? advice
      StandardError.writeLine("notes-watch: hint: \(sentence(path))\(suggestion)")
    }
    if fields.count > max { StandardError.writeLine("notes-watch: hint: only the first \(max) unknown fields are listed.") }
  }
}
