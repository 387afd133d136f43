import PlainText

/// Makes the text of an item that has no file yet.
enum NewItemText {
  /// Returns a text with these fields in their order, as a person would write them. It reads back
  /// as these fields.
  ///
  /// - Throws: `TextEditError` if the format cannot express a field.
  static func text(of fields: Fields, as format: TextFormat, _ limits: ReadLimits) throws(TextEditError) -> ItemText {
    let wanted = PackedValue(.map(fields)).value
    let edits = fields.map { TextEdit.insert(FieldPath(keys: [$0.key]), $0.value) }
    switch format {
    case .yaml: return try build(fields.isEmpty ? "{}\n" : "", edits, format, limits)
    case .json:
      if fields.isEmpty { return try build("{}\n", [], format, limits) }
      // A temporary field that shows the style until the others are there.
      let example = key(notIn: fields)
      return try build("{\n  \"\(example)\": [0]\n}\n", edits + [.remove(FieldPath(keys: [example]))], format, limits)
    case .markdown:
      let others = edits.filter { !$0.path.keys[0].hasSameBytes(as: "body") }
      if others.isEmpty, case .string(let text)? = wanted["body"], !text.isEmpty, !isChanged(asBody: text) {
        return try build(text, [], format, limits)
      }
      // The body is a separate edit, so that a body that is not a string is refused.
      let body = wanted["body"].map { TextEdit.set(FieldPath(keys: ["body"]), $0) }
      return try build("---\n---\n", others + [body].compactMap { $0 }, format, limits)
    }
  }

  private static func key(notIn fields: Fields) -> String {
    var key = "_"
    while fields[key] != nil { key += "_" }
    return key
  }

  /// Returns true if a text alone in a page would be read as front matter, or would lose its byte
  /// order mark.
  private static func isChanged(asBody body: String) -> Bool {
    body.utf8.starts(with: "---".utf8) || body.utf8.starts(with: "\u{FEFF}".utf8)
  }

  private static func build(
    _ start: String, _ edits: [TextEdit], _ format: TextFormat, _ limits: ReadLimits
  ) throws(TextEditError) -> ItemText {
    try ItemText(Array(start.utf8), as: format, limits: limits).edited(by: edits)
  }
}
