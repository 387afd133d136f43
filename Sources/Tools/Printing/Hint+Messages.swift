package import Store

extension Hint {
  /// The number of fields that get a hint: each hint costs a pass over the keys of all items.
  fileprivate static let maxUnknownFields = 8

  /// Returns one hint per field that no item has, for the first of them. Each begins with `hint: `.
  package static func messages(
    onUnknown fields: [FieldPath], nearest: (FieldPath) -> FieldPath?,
    hint: (FieldPath, FieldPath?) -> String = { Hint(unknownField: $0, suggestion: $1).message }
  ) -> [String] {
    let hints = fields.prefix(maxUnknownFields).map { "hint: \(hint($0, nearest($0)))" }
    return fields.count > maxUnknownFields
      ? hints + ["hint: only the first \(maxUnknownFields) unknown fields are listed."] : hints
  }

  package var warningMessage: String { "warning: \(message)" }
}

extension ListSnapshot<Item> {
  /// Warnings about strings without quotes, and hints about fields that no item has and comparisons
  /// that can never be true. Each begins with `warning: ` or `hint: `.
  package var hintMessages: [String] { warnings.map(\.warningMessage) + otherHintTexts.map { "hint: \($0)" } }

  /// The warnings and hints of ``hintMessages`` without the word in front.
  package var hintTexts: [String] { warnings.map(\.message) + otherHintTexts }

  private var otherHintTexts: [String] {
    Hint.messages(onUnknown: unknownFields(max: Hint.maxUnknownFields + 1), nearest: nearestField).map {
      String($0.dropFirst("hint: ".count))
    }
      + predicateHints
  }
}
