package struct NewItems {
  package struct Plan {
    package let id: Item.ID
    package let path: RelativePath
    package let format: TextFormat
    package let fields: Fields
    package var style: TextStyle?
  }

  private let settings: Settings
  private let idFields: [FieldPath]
  private let context: DefaultContext
  private let formats: (RelativePath) -> FolderFormats
  private let style: (RelativePath, TextFormat) -> TextStyle?
  private var known: [RelativePath: FolderFormats] = [:]

  init(in locator: ItemLocator, context: DefaultContext, cache: KnownFolders) {
    self.init(
      settings: locator.settings, idFields: locator.idFields, context: context,
      formats: { cache.formats(in: $0, of: locator) }, style: { cache.style(in: $0, of: $1, locator) })
  }

  init(
    settings: Settings, idFields: [FieldPath], context: DefaultContext,
    formats: @escaping (RelativePath) -> FolderFormats,
    style: @escaping (RelativePath, TextFormat) -> TextStyle? = { _, _ in nil }
  ) {
    self.settings = settings
    self.idFields = idFields
    self.context = context
    self.formats = formats
    self.style = style
  }

  func knowsFormats(in folder: RelativePath) -> Bool { known[folder] != nil }

  /// Plans one new item. The word is the path of its file without the extension, and its id where ids are
  /// paths. Where ids are fields, the word is the id, and its parts fill those fields that the defaults and
  /// `change` leave empty. A text that `isTyped` by a person gets a blank first line and a final line break
  /// where most pages have them.
  package mutating func plan(
    _ word: String, at path: RelativePath? = nil, as format: TextFormat? = nil, isTyped: Bool = false,
    _ change: (Fields) throws -> Fields
  ) throws -> Plan {
    let id = Item.ID(printed: word)
    let file = try file(of: id, at: path, as: format)
    return plan(
      id, file, try change(settings.defaults.fields(of: id, at: file.path, context)), isTyped: isTyped)
  }

  mutating func plan(
    _ id: Item.ID, at path: RelativePath?, as format: TextFormat?, fields: Fields, isTyped: Bool = false
  ) throws(EditError) -> Plan {
    let file = try file(of: id, at: path, as: format)
    let all = NewItems.merged(settings.defaults.fields(of: id, at: file.path, context), with: fields)
    return plan(id, file, all, isTyped: isTyped)
  }

  private func plan(
    _ named: Item.ID, _ file: (path: RelativePath, format: TextFormat), _ fields: Fields, isTyped: Bool
  ) -> Plan {
    var fields = fields
    let id = idFields.isEmpty ? named : identify(named, at: file.path, &fields)
    let style = style(file.path.parent ?? .root, file.format)
    if isTyped, file.format == .markdown, let style, let body = fields["body"]?.typedText {
      // Without other fields, the page has no front matter.
      let start =
        style.beginsWithBlankLine && fields.count > 1 && !NewItems.isBreak(body.utf8.first) ? "\n" : ""
      fields["body"] = .string(
        start + body + (style.endsWithLineBreak && !NewItems.isBreak(body.utf8.last) ? "\n" : ""))
    }
    return Plan(id: id, path: file.path, format: file.format, fields: fields, style: style)
  }

  private static func isBreak(_ byte: UInt8?) -> Bool { byte == 0x0A || byte == 0x0D }

  private mutating func file(
    of named: Item.ID, at path: RelativePath?, as format: TextFormat?
  ) throws(EditError) -> (path: RelativePath, format: TextFormat) {
    let path = if let path { path } else { try self.path(of: named, as: format) }
    guard let ownFormat = TextFormat(pathExtension: PseudoField.split(path.name).ext) else {
      throw EditError(.invalidID, named, path, "An item's file ends in .yaml, .yml, .json, .md or .markdown.")
    }
    if let format, format != ownFormat {
      throw EditError(
        .invalidID, named, path,
        "The file name has the extension of the format \(ownFormat), but \(format) was requested.",
        advice: "Choose one format.")
    }
    if idFields.isEmpty, Item.ID(path: path) != named {
      throw EditError(
        .invalidID, named, path,
        "This file would be the item `\(Item.ID(path: path))`.", advice: "Leave out the path or the id.")
    }
    return (path, ownFormat)
  }

  /// Returns the id that the fields make. If they make none, fills them with the parts of `named`.
  private func identify(_ named: Item.ID, at path: RelativePath, _ fields: inout Fields) -> Item.ID {
    if let id = try? Item.ID(of: PackedValue(.map(fields)), at: path, by: idFields) { return id }
    let missing = idFields.filter { Value.map(fields).element(at: $0)?.text.isEmpty ?? true }
    let parts = named.parts(idFields.count)
    guard parts.count == idFields.count else { return named }
    var own: Fields = [:]
    for (field, part) in zip(idFields, parts) where missing.contains(field) {
      let typed = Value(plain: part)
      own = (try? own.applying([.set(field, typed.idText == part ? typed : .string(part))])) ?? own
    }
    // The fields of the id come first.
    fields = NewItems.merged(own, with: fields)
    return named
  }

  static func merged(_ fields: Fields, with others: Fields) -> Fields {
    others.reduce(into: fields) { result, pair in
      if case .map(let own)? = result[pair.key], case .map(let other) = pair.value {
        result[pair.key] = .map(merged(own, with: other))
      } else {
        result[pair.key] = pair.value
      }
    }
  }

  private mutating func path(of id: Item.ID, as format: TextFormat?) throws(EditError) -> RelativePath {
    let name = try id.filePath()
    try NewItems.checkName(of: id, name)
    return try id.filePath(".\(pathExtension(in: name.parent ?? .root, as: format))")
  }

  /// Throws if a new file would have two extensions, because its name already ends in one.
  static func checkName(of id: Item.ID, _ name: RelativePath) throws(EditError) {
    let ending = PseudoField.split(name.name)
    if !ending.name.isEmpty, TextFormat(pathExtension: ending.ext) != nil {
      throw EditError(
        .invalidID, id, nil, "An id has no extension.",
        advice:
          "Use the id `\(id.description.dropLast(ending.ext.utf8.count + 1))`, and choose the format separately."
      )
    }
  }

  /// Returns the most frequent extension in the folder, or in the nearest one above it that has items.
  private mutating func pathExtension(in folder: RelativePath, as format: TextFormat?) -> String {
    var folder: RelativePath? = folder
    while let current = folder {
      let formats = known[current] ?? self.formats(current)
      known[current] = formats
      if let found = formats.mostFrequent(of: format) { return found }
      folder = current.parent
    }
    return (format ?? .yaml).pathExtensions[0]
  }
}

extension Value {
  fileprivate var typedText: String? {
    switch self {
    case .string(let text) where !text.isEmpty: text
    case .date(let date): date.text
    default: nil
    }
  }
}

extension Item.ID {
  /// Returns the edits that make this an item's id; nil if it does not have the parts of one.
  func edits(of fields: Value, by idFields: [FieldPath]) -> [TextEdit]? {
    let parts = parts(idFields.count)
    guard parts.count == idFields.count, !parts.contains("") else { return nil }
    return zip(idFields, parts).compactMap { field, part in
      let old = fields.element(at: field)
      if old?.idText == part { return nil }
      // A number remains a number, if it makes the same id.
      let typed = Value(plain: part)
      let isString = if case .string? = old { true } else { typed.idText != part }
      return .set(field, isString ? .string(part) : typed)
    }
  }

  /// Splits the id into the strings that `init(parts:)` joined.
  func parts(_ count: Int) -> [String] {
    let bytes = RelativePath(printed: description)?.bytes ?? Array(description.utf8)
    if count == 1 { return [String(decoding: bytes, as: UTF8.self)] }
    var parts: [[UInt8]] = [[]]
    var isEscaped = false
    for byte in bytes {
      if !isEscaped, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if !isEscaped, byte == UInt8(ascii: "/") {
        parts.append([])
      } else {
        parts[parts.count - 1].append(byte)
        isEscaped = false
      }
    }
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension ItemText {
  /// Returns a text that reads as these fields, as a person would write them, in the style of other items.
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

  /// Returns true if a text alone would be read as front matter, or would lose its byte order mark.
  private static func isChanged(asBody body: String) -> Bool {
    body.utf8.starts(with: "---".utf8) || body.utf8.starts(with: "\u{FEFF}".utf8)
  }
}
