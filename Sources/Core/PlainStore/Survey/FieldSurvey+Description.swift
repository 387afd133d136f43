import Files

// The lines that a survey and its parts print as. Paths come from files, so control characters in
// them are shown as escapes.

extension FieldSurvey: CustomStringConvertible {
  /// The numbers of fields and of items: `4 fields of 12 items`. If not all items were read:
  /// `4 fields of 1000 items (of 5000)`.
  public var description: String {
    let counts = "\(Printing.count(fields.count, "field")) of \(Printing.count(count, "item"))"
    return count < total ? "\(counts) (of \(total))" : counts
  }
}

extension FieldSurvey.Field: CustomStringConvertible {
  /// The path, the kinds of its values, and the number of items: `due: date or string, in 3 items`.
  public var description: String {
    let kinds = typeNames.joined(separator: " or ")
    return "\(DisplayText.safe(path.description)): \(kinds), in \(Printing.count(count, "item"))"
  }
}

extension FieldDoubt.Kind: CustomStringConvertible {
  /// The kind in a few words: `unknown field`, or `not a date`.
  public var description: String {
    switch self {
    case .unknownField: "unknown field"
    case .unlike(let kind): "not \(kind.phrase)"
    }
  }
}
