import TextEdits
import Values

/// Texts of items that have no file yet.
extension ItemText {
  /// Returns a text with these fields in their order, as a person would write them. It reads back
  /// as these fields.
  ///
  /// - Parameter style: The style of the other items; nil for the usual one.
  /// - Throws: `TextEditError` if the format cannot express a field.
  static func new(
    _ fields: Fields, as format: TextFormat, like style: TextStyle? = nil, _ limits: ReadLimits
  ) throws(TextEditError) -> ItemText {
    var text = try complete(fields, format, style, limits)
    guard let style else { return text }
    // A text that ends in a block may need its last line break, and the body of a page has its own.
    func take(_ bytes: [UInt8]) {
      let other = ItemText(bytes, as: format, limits: limits)
      if (try? other.fields.get().value) == (try? text.fields.get().value) { text = other }
    }
    if !style.endsWithLineBreak, format != .markdown, text.bytes.last == 0x0A {
      take(Array(text.bytes.dropLast()))
    }
    if style.hasCRLF { take(text.bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }) }
    return text
  }

  private static func complete(
    _ fields: Fields, _ format: TextFormat, _ style: TextStyle?, _ limits: ReadLimits
  ) throws(TextEditError) -> ItemText {
    func build(_ start: String, _ edits: [TextEdit]) throws(TextEditError) -> ItemText {
      try ItemText(Array(start.utf8), as: format, limits: limits).styled(like: style).edited(by: edits)
    }
    let wanted = PackedValue(.map(fields)).value
    let edits = fields.map { TextEdit.insert(FieldPath(keys: [$0.key]), $0.value) }
    switch format {
    case .yaml, .json:
      guard let first = fields.first?.key else { return try build("{}\n", []) }
      // A temporary field that shows the style until the others are there. In YAML it is needed only
      // to show that a number is a key of a map.
      let example = key(notIn: fields)
      let removal = TextEdit.remove(FieldPath(keys: [example]))
      if format == .json { return try build(TextStyle.example(example, like: style), edits + [removal]) }
      return try Int(elementNumber: first) == nil
        ? build("", edits) : build("\(example): 0\n", edits + [removal])
    case .markdown:
      let others = edits.filter { !$0.path.keys[0].hasSameBytes(as: "body") }
      if others.isEmpty, case .string(let text)? = wanted["body"], !text.isEmpty, !isChanged(asBody: text) {
        return try build(text, [])
      }
      // The body is a separate edit, so that a body that is not a string is refused.
      let body = wanted["body"].map { TextEdit.set(FieldPath(keys: ["body"]), $0) }
      return try build("---\n---\n", others + [body].compactMap { $0 })
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
}
