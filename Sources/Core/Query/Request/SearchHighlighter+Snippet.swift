package import Values

extension SearchHighlighter {
  /// A part of an item that matches a search: the field, a line of its text around the first match, and the
  /// matches in it.
  package typealias Snippet = (field: FieldPath, text: String, matches: [Range<String.Index>])

  /// The part of each value that is looked into.
  private static let maxValue = 64 << 10
  /// The longest line that is looked into, and the characters before the first match that are shown.
  private static let maxLine = 4_000
  private static let lead = 24

  /// Returns the first line of an item's id and values that has a match; nil if none has, if the search has no
  /// words, or if one of the matches is shown anyway. Reads a bounded part of each value.
  ///
  /// - Parameter isShown: Returns true if a text that matches is visible.
  package func snippet(of item: Item, unless isShown: (FieldPath, String) -> Bool = { _, _ in false })
    -> Snippet?
  {
    if isEmpty { return nil }
    var first: (field: FieldPath, line: String)?
    let fields = item.fields.fields(limit: SearchHighlighter.maxValue)
    let isVisible =
      hasMatch(.string(item.id.description), [PseudoField.id.rawValue], isShown, &first)
      || fields.contains { hasMatch($0.value, [$0.key], isShown, &first) }
    guard !isVisible, let (field, line) = first else { return nil }
    return excerpt(of: line, ranges(in: line, of: field)).map { (field, $0.text, $0.matches) }
  }

  /// Finds the first line with a match. Returns true if a text with a match is shown.
  private func hasMatch(
    _ value: Value, _ keys: [String], _ isShown: (FieldPath, String) -> Bool,
    _ first: inout (field: FieldPath, line: String)?
  ) -> Bool {
    switch value {
    case .list(let elements): return elements.contains { hasMatch($0, keys, isShown, &first) }
    case .map(let fields): return fields.contains { hasMatch($0.value, keys + [$0.key], isShown, &first) }
    default:
      let field = FieldPath(keys: keys)
      let text = value.text
      guard searches(field), mayMatch(text) else { return false }
      if isShown(field, text) { return true }
      if first == nil,
        let line = text.split(whereSeparator: \.isNewline).first(where: { mayMatch(String($0)) })
      {
        first = (field, String(line.prefix(SearchHighlighter.maxLine)))
      }
      return false
    }
  }

  /// Returns the line from a few words before the first match.
  private func excerpt(of line: String, _ matches: [Range<String.Index>]) -> (
    text: String, matches: [Range<String.Index>]
  )? {
    guard let first = matches.first else { return nil }
    guard
      let start = line.index(first.lowerBound, offsetBy: -SearchHighlighter.lead, limitedBy: line.startIndex)
    else { return (line, matches) }
    let lead = line[start..<first.lowerBound]
    let text = "…" + line[(lead.firstIndex(of: " ") ?? start)...].drop { $0 == " " }
    return (text, ranges(in: text))
  }
}
