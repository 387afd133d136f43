import PlainText

/// The text of an item that has no file yet.
enum NewItemText {
  /// Fields in their order, as a person would write them. What is read back is these fields, or nothing is made.
  static func bytes(of fields: Fields, as format: TextFormat, _ limits: ReadLimits) throws(TextEditError) -> [UInt8] {
    let wanted = PackedValue(.map(fields)).value
    let edits = fields.map { TextEdit.insert(FieldPath(keys: [$0.key]), $0.value) }
    switch format {
    case .yaml: return try build(fields.isEmpty ? "{}\n" : "", edits, format, limits)
    case .json:
      if fields.isEmpty { return Array("{}\n".utf8) }
      // A field that shows the style, until the others are there.
      let example = key(notIn: fields)
      return try build("{\n  \"\(example)\": [0]\n}\n", edits + [.remove(FieldPath(keys: [example]))], format, limits)
    case .markdown:
      let others = edits.filter { !$0.path.keys[0].hasSameBytes(as: "body") }
      if others.isEmpty, case .string(let text)? = wanted["body"], !text.isEmpty, !hasRule(text) { return Array(text.utf8) }
      // As an edit of its own it is read back, and refused where it is no text.
      let body = wanted["body"].map { TextEdit.set(FieldPath(keys: ["body"]), $0) }
      return try build("---\n---\n", others + [body].compactMap { $0 }, format, limits)
    }
  }

  private static func key(notIn fields: Fields) -> String {
    var key = "_"
    while fields[key] != nil { key += "_" }
    return key
  }

  /// Whether a text would be taken for front matter, or lose the mark of its encoding.
  private static func hasRule(_ body: String) -> Bool { body.utf8.starts(with: "---".utf8) || body.utf8.starts(with: "\u{FEFF}".utf8) }

  private static func build(
    _ start: String, _ edits: [TextEdit], _ format: TextFormat, _ limits: ReadLimits
  ) throws(TextEditError) -> [UInt8] {
    try ItemText(Array(start.utf8), as: format, limits: limits).applying(edits)
  }
}
