import PlainStore
import PlainText

/// Hints on standard error about fields that no item has.
enum FieldHints {
  /// The number of fields that get a hint. A hint costs a pass over the keys of all items, and
  /// nobody reads hundreds of them.
  static let max = 8

  /// Prints one hint per field, for the first ``max`` of them.
  ///
  /// - Parameters:
  ///   - fields: The fields, in the order of the request.
  ///   - nearest: Returns the field that was probably meant; nil if none is similar.
  ///   - hint: Returns the hint about a field, with the field that was probably meant.
  static func write(
    _ fields: [FieldPath], nearest: (FieldPath) -> FieldPath?,
    hint: (FieldPath, FieldPath?) -> String = { Hint(unknownField: $0, suggestion: $1).message }
  ) {
    for path in fields.prefix(max) { StandardError.writeLine("notes-watch: hint: \(hint(path, nearest(path)))") }
    if fields.count > max { StandardError.writeLine("notes-watch: hint: only the first \(max) unknown fields are listed.") }
  }
}
