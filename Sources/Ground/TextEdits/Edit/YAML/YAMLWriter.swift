struct YAMLWriter {
  let style: YAMLStyle
  let caution: Caution
  /// The column of the lines that are replaced by lines of the same kind.
  var oldColumn: Int?
  var end = End.withLineBreak

  enum End {
    case withLineBreak
    /// The text ends with the block scalar, without a line break.
    case nowhere
    /// As `nowhere`, and a string without a final line break has no chomping indicator.
    case nowhereBare
  }

  /// Collections that are nested deeper are written in brackets, where depth needs no indentation.
  private static let maxBlockLevel = 32

  /// Returns the text on the line of the key or dash, and then the indented lines below. `old` is
  /// replaced; `level` is the depth of this value in the value that is written.
  func text(
    _ value: Value, _ name: EditSlot.Name?, old: LocatedValue?, at place: Place, level: Int = 0
  ) throws(TextEditError) -> [String] {
    guard !value.isScalar else { return scalar(value, hint(name, old), name, at: place) }
    let isMap = if case .map = value { true } else { false }
    let isInFlow = place == .flow || caution == .oneLine || level >= YAMLWriter.maxBlockLevel
    if isInFlow || value.isEmptyCollection || style.prefersFlow(map: isMap, name, old: old) {
      return [try flow(value, name)]
    }
    return try block(value, name, at: place, level)
  }

  /// Writes a key without its colon, like `other`: a key next to it, or the one that it replaces.
  func key(_ text: String, like other: String?, inFlow: Bool) throws(TextEditError) -> String {
    if let known = style.key(text), caution != .oneLine,
      !inFlow || known != text || YAMLString.isWritable(text, inFlow: true)
    {
      return known
    }
    let written: String
    switch other?.utf8.first {
    case "\"": written = YAMLString.double(text)
    case "'": written = YAMLString.quoted(text, "'")
    default:
      // If the file has unquoted keys such as `2024` or `on`, new ones are written without quotes, too.
      let hasAmbiguousKeys = other.map { YAMLString.isAmbiguous($0) } ?? false
      let isPlain =
        YAMLString.isWritable(text, inFlow: inFlow)
        && (hasAmbiguousKeys && text != "<<" || !YAMLString.isAmbiguous(text))
      written = isPlain ? text : YAMLString.quoted(text, style.quote)
    }
    guard written.utf8.count <= 1_000 else {
      throw TextEditError(
        .unwritable, "This key has \(written.utf8.count) bytes, and the limit in YAML is 1,000. Shorten it.")
    }
    return written
  }

  private func hint(_ name: EditSlot.Name?, _ old: LocatedValue?) -> YAMLStyle.ScalarStyle? {
    YAMLStyle.ScalarStyle(old) ?? style.scalar(name)
  }

  private func scalar(
    _ value: Value, _ hint: YAMLStyle.ScalarStyle?, _ name: EditSlot.Name?, at place: Place
  ) -> [String] {
    switch value {
    case .bool(let flag): [flag ? "true" : "false"]
    case .number(let number): [number.description]
    case .date(let date): string(date.text, isPlain: isPlainDate(hint, name), hint, at: place)
    case .string(let text): string(text, isPlain: isPlain(text, hint, at: place), hint, at: place)
    default: ["null"]
    }
  }

  private func string(_ text: String, isPlain: Bool, _ hint: YAMLStyle.ScalarStyle?, at place: Place)
    -> [String]
  {
    if caution == .oneLine { return [YAMLString.double(text)] }
    switch hint?.style {
    case .singleQuoted: return [YAMLString.quoted(text, "'")]
    case .doubleQuoted: return [YAMLString.double(text)]
    case .literal, .folded:
      if let block = block(text, isFolded: hint?.style == .folded, at: place) { return block }
    default: if text.utf8.contains(0x0A), let block = block(text, isFolded: false, at: place) { return block }
    }
    return [isPlain ? text : YAMLString.quoted(text, style.quote)]
  }

  private func isPlain(_ text: String, _ hint: YAMLStyle.ScalarStyle?, at place: Place) -> Bool {
    YAMLString.isSafe(text, inFlow: place == .flow) && !(hint == nil && style.quotesStrings)
  }

  /// Readers of YAML 1.1 read a date without quotes as a date. So it is written without quotes only
  /// if it was, or if another value of the same name is.
  private func isPlainDate(_ hint: YAMLStyle.ScalarStyle?, _ name: EditSlot.Name?) -> Bool {
    guard let hint else { return style.hasPlainDate(name) }
    return hint.style == .plain && (hint.isDate || style.hasPlainDate(name))
  }

  private func block(_ text: String, isFolded: Bool, at place: Place) -> [String]? {
    guard caution == .none, place != .flow, let block = YAMLBlockScalar(text, before: end) else { return nil }
    let column = oldColumn ?? max(place.column, 0) + style.mapIndent
    let folded = isFolded ? block.folded(column: column) : nil
    return folded ?? block.literal(column: column, parent: place.column)
  }

  private func block(_ value: Value, _ name: EditSlot.Name?, at place: Place, _ level: Int)
    throws(TextEditError) -> [String]
  {
    let column = oldColumn ?? blockColumn(of: value, at: place)
    let nested = YAMLWriter(style: style, caution: caution)
    var lines: [String] = []
    switch value {
    case .map(let fields):
      for (key, value) in fields { lines += try nested.entry(key, value, column: column, level: level) }
    case .list(let elements):
      let own = EditSlot.Name(elementOf: name)
      for element in elements {
        lines += try nested.element(element, own, column: column, gap: " ", old: nil, level: level)
      }
    default: break
    }
    guard case .element(_, let content?) = place, content == column, let first = lines.first else {
      return [""] + lines
    }
    return [String(first.unicodeScalars.dropFirst(column))] + lines.dropFirst()
  }

  func blockColumn(of value: Value, at place: Place) -> Int {
    switch place {
    case .element(let column, let content): return content ?? column + style.mapIndent
    case .entry(let column) where column < 0: return 0
    case .entry(let column):
      if case .list = value { return column + style.listIndent }
      return column + style.mapIndent
    case .flow: return 0
    }
  }

  func entry(_ key: String, _ value: Value, like other: String? = nil, column: Int, level: Int = 0)
    throws(TextEditError) -> [String]
  {
    let name = EditSlot.Name(key: key)
    let text = try text(value, name, old: nil, at: .entry(column: column), level: level + 1)
    let start = String(repeating: " ", count: column) + (try self.key(key, like: other, inFlow: false)) + ":"
    return [start + (text[0].isEmpty ? "" : " " + text[0])] + text[1...]
  }

  func element(
    _ value: Value, _ name: EditSlot.Name?, column: Int, gap: String, old: LocatedValue?, level: Int = 0
  ) throws(TextEditError) -> [String] {
    let place = Place.element(column: column, content: column + 1 + gap.utf8.count)
    let text = try text(value, name, old: old, at: place, level: level + 1)
    return [String(repeating: " ", count: column) + "-" + (text[0].isEmpty ? "" : gap + text[0])] + text[1...]
  }

  private enum Piece {
    case value(Value, EditSlot.Name?)
    case text(String)
  }

  /// Writes a value on one line. Iterative, because a value can have any depth.
  private func flow(_ value: Value, _ name: EditSlot.Name?) throws(TextEditError) -> String {
    var written = ""
    var pieces = [Piece.value(value, name)]
    while let piece = pieces.popLast() {
      switch piece {
      case .text(let text): written += text
      case .value(.list(let elements), let name):
        let pad = style.padsLists && !elements.isEmpty ? " " : ""
        pieces.append(.text(pad + "]"))
        for (index, element) in elements.enumerated().reversed() {
          pieces.append(.value(element, EditSlot.Name(elementOf: name)))
          if index > 0 { pieces.append(.text(", ")) }
        }
        pieces.append(.text("[" + pad))
      case .value(.map(let fields), _):
        let pad = style.padsMaps && !fields.isEmpty ? " " : ""
        pieces.append(.text(pad + "}"))
        for (index, field) in fields.enumerated().reversed() {
          pieces.append(.value(field.value, EditSlot.Name(key: field.key)))
          pieces.append(.text((index > 0 ? ", " : "") + (try key(field.key, like: nil, inFlow: true)) + ": "))
        }
        pieces.append(.text("{" + pad))
      case .value(let scalar, let name):
        written += self.scalar(scalar, hint(name, nil), name, at: .flow)[0]
      }
    }
    return written
  }

  func flowEntry(_ key: String, _ value: Value, like other: String?) throws(TextEditError) -> String {
    let key = (try self.key(key, like: other, inFlow: true), EditSlot.Name(key: key))
    return "\(key.0): " + (try text(value, key.1, old: nil, at: .flow)[0])
  }

  /// The next level is used if the result of the last one did not read back as wanted.
  enum Caution: CaseIterable {
    case none
    /// No block scalars, because they include line breaks that follow them.
    case noBlockScalars
    /// Everything on one line, in brackets and double quotes.
    case oneLine
  }

  enum Place: Equatable {
    case flow
    /// After a key in that column; -1 for the root of the document.
    case entry(column: Int)
    /// After a dash in that column. `content` is the column of the value on the line of the dash; nil if an
    /// anchor or a tag is there.
    case element(column: Int, content: Int?)

    var column: Int {
      switch self {
      case .flow: 0
      case .entry(let column), .element(let column, _): column
      }
    }
  }
}

private struct YAMLBlockScalar {
  private let lines: [Substring]
  private let trailing: Int
  private let end: YAMLWriter.End

  private static let width = 80

  /// Returns nil if a block scalar cannot contain the string, or if the string has no visible line.
  init?(_ text: String, before end: YAMLWriter.End) {
    self.end = end
    guard text.unicodeScalars.allSatisfy({ $0 == "\n" || YAMLString.isPrintable($0) }) else { return nil }
    let textEnd = text.utf8.lastIndex { $0 != 0x0A }.map { text.utf8.index(after: $0) } ?? text.startIndex
    trailing = text.utf8.distance(from: textEnd, to: text.endIndex)
    lines = text[..<textEnd].unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
      Substring($0)
    }
    // A string of spaces alone would be read as indentation.
    guard textEnd > text.startIndex,
      lines.contains(where: { !$0.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } })
    else { return nil }
  }

  private var chomping: String {
    switch trailing {
    case 0: end == .nowhereBare ? "" : "-"
    case 1: ""
    default: "+"
    }
  }

  private var emptyLines: [String] {
    [String](repeating: "", count: max(0, end == .withLineBreak ? trailing - 1 : trailing))
  }

  /// Writes the string after `|`; nil if no indentation indicator fits. `parent` has the key or dash.
  func literal(column: Int, parent: Int) -> [String]? {
    let first = lines.first { !$0.isEmpty }
    let needsIndicator = first?.utf8.first == 0x20 || first?.utf8.first == 0x09
    let indent = column - max(parent, 0)
    guard !needsIndicator || (1...9).contains(indent) else { return nil }
    let spaces = String(repeating: " ", count: column)
    return ["|\(needsIndicator ? String(indent) : "")\(chomping)"]
      + lines.map { $0.isEmpty ? "" : spaces + $0 } + emptyLines
  }

  /// Writes the string after `>`, broken at single spaces before `width` columns; nil if a line begins with a
  /// space or tab, because such lines are not folded.
  func folded(column: Int) -> [String]? {
    guard lines.first?.isEmpty == false, lines.allSatisfy({ $0.utf8.first != 0x20 && $0.utf8.first != 0x09 })
    else { return nil }
    let spaces = String(repeating: " ", count: column)
    var folded: [String] = []
    for line in lines {
      if line.isEmpty {
        folded.append("")
      } else {
        if !folded.isEmpty { folded.append("") }
        folded += YAMLBlockScalar.wrapped(line, to: max(YAMLBlockScalar.width - column, 20)).map {
          spaces + $0
        }
      }
    }
    return [">\(chomping)"] + folded + emptyLines
  }

  private static func wrapped(_ line: Substring, to width: Int) -> [String] {
    let words = line.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
    var lines: [String] = []
    var current = ""
    var length = 0
    var canBreak = false
    for (index, word) in words.enumerated() {
      // A run of spaces would be lost at a line break.
      if canBreak, !word.isEmpty, length + 1 + word.count > width {
        lines.append(current)
        current = ""
        length = 0
      } else if index > 0 {
        current += " "
        length += 1
      }
      current.unicodeScalars.append(contentsOf: word)
      length += word.count
      canBreak = !word.isEmpty
    }
    return lines + [current]
  }
}
